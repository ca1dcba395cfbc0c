import { visibleName } from "@grove/schemas";
import { SquareArrowOutUpRight, X } from "lucide-react";
import { useRef } from "react";
import { useShortcuts } from "../shortcuts/useShortcuts";
import { IconButton } from "../ui/button";
import { CopyButton } from "../ui/copyButton";
import { Form } from "../ui/form";
import { VisibleName } from "../ui/visibleName";
import { fileSize } from "./fileSize";

interface FileToolbarProps {
  path: string;
  /** In bytes; undefined while unknown. */
  size: number | undefined;
  editorUrl: string | undefined;
  /** Goes to a line; undefined if the file has none. */
  onLine: ((line: number) => void) | undefined;
  onClose: () => void;
}

/** The open file's path and size, and its actions. */
export function FileToolbar({ path, size, editorUrl, onLine, onClose }: FileToolbarProps) {
  return (
    <div className="flex min-h-10 flex-wrap items-center gap-x-2 border-line border-b pr-1 pl-3 text-sm">
      <h2 className="wrap-anywhere min-w-0 font-mono">
        <VisibleName>{path}</VisibleName>
      </h2>
      {size !== undefined && <span className="shrink-0 text-muted">{fileSize(size)}</span>}
      <span className="ml-auto flex items-center">
        {onLine && <LineField key={path} onLine={onLine} />}
        <CopyButton text={path} label={`Copy the path ${visibleName(path)}`} />
        {editorUrl !== undefined && (
          <a
            href={editorUrl}
            aria-label="Open the file in the editor"
            title="Open the file in the editor"
            className="inline-flex size-8 shrink-0 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-ink"
          >
            <SquareArrowOutUpRight aria-hidden="true" className="size-4" />
          </a>
        )}
        <IconButton label="Close the file" onClick={onClose}>
          <X aria-hidden="true" className="size-4" />
        </IconButton>
      </span>
    </div>
  );
}

function LineField({ onLine }: { onLine: (line: number) => void }) {
  const field = useRef<HTMLInputElement>(null);
  useShortcuts({
    title: "Files",
    scope: "page",
    shortcuts: [{ keys: "l", title: "Go to a line", run: () => field.current?.focus() }],
  });
  return (
    <Form className="flex" onSubmit={(text) => Number(text("line")) > 0 && onLine(Number(text("line")))}>
      <input
        ref={field}
        name="line"
        type="number"
        min={1}
        aria-label="Go to line"
        placeholder="Line"
        className="h-7 w-20 rounded-md border border-edge bg-surface px-2 outline-offset-0"
      />
    </Form>
  );
}
