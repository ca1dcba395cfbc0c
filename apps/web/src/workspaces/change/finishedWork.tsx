import { visibleText } from "@grove/schemas";
import { useQuery } from "@tanstack/react-query";
import { queries } from "../../lib/api";
import { Time } from "../../ui/time";
import { gateText } from "./gateText";

interface FinishedWorkProps {
  organizationId: string;
  workspaceId: string;
}

/** The agent's report that its work is finished. Empty while the work continues. */
export function FinishedWork({ organizationId, workspaceId }: FinishedWorkProps) {
  const { data } = useQuery(
    queries.workspace.change.list.queryOptions({ organizationId, workspaceId, limit: 1 }),
  );
  const [change] = data ?? [];
  if (!change || change.finishedAt === null) return null;
  const { finishedAt, summary, tests } = change;
  const check = gateText(change);
  return (
    <section
      aria-label="Finished work"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard (WCAG 2.1.1)
      tabIndex={0}
      className="max-h-48 shrink-0 overflow-auto border-line border-b px-4 py-2 text-sm sm:px-6"
    >
      <p className="wrap-anywhere whitespace-pre-wrap">
        Finished: <bdi>{visibleText(summary ?? "")}</bdi>
      </p>
      {tests.length > 0 && (
        <ul aria-label="Tests" className="list-disc pl-5 text-muted">
          {[...new Set(tests)].map((test) => (
            <li key={test} className="wrap-anywhere">
              <bdi>{visibleText(test)}</bdi>
            </li>
          ))}
        </ul>
      )}
      {check && <p role="status">{check}</p>}
      <p className="text-muted">
        Reported by the agent <Time at={finishedAt} />
      </p>
    </section>
  );
}
