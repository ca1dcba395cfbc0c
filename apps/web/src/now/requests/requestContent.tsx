import { type AgentRequest, visibleText } from "@grove/schemas";
import { Suspense } from "react";
import { lazily } from "../../lib/browser/lazily";
import { VisibleName } from "../../ui/visibleName";
import { parseEdit } from "./parseEdit";

// Needed only for a request to change a file.
const EditDiff = lazily(async () => (await import("./editDiff")).EditDiff);
const Markdown = lazily(async () => (await import("../../markdown/markdown")).Markdown);

/** The whole command or input of a permission request, or the plan. */
export function RequestContent({ request: { kind, tool, title, input } }: { request: AgentRequest }) {
  if (kind === "question") return null;
  if (input === null) return <p className="text-muted">The text is deleted five minutes after the answer.</p>;
  if (kind === "plan")
    return (
      <div className="rounded-md bg-ground px-3 py-2">
        <Suspense fallback={<p className="whitespace-pre-wrap">{visibleText(input)}</p>}>
          <Markdown text={visibleText(input)} />
        </Suspense>
      </div>
    );
  const edit = parseEdit({ tool, input });
  if (edit)
    return (
      <Suspense>
        <EditDiff edit={edit} />
      </Suspense>
    );
  return (
    <>
      {title !== `${tool}: ${input}` && (
        <p className="wrap-anywhere text-sm">
          <VisibleName>{title}</VisibleName>
        </p>
      )}
      <pre
        dir="auto"
        className="wrap-anywhere whitespace-pre-wrap rounded-md bg-ground px-3 py-2 font-mono text-sm"
      >
        {visibleText(input)}
      </pre>
    </>
  );
}
