import type { DiffFile } from "@grove/schemas";
import { visibleName } from "@grove/schemas";
import { Check } from "lucide-react";
import { useMemo, useRef } from "react";
import { ROW_PX, useRowWindow } from "../../hooks/useRowWindow";
import { KeyCaps } from "../../shortcuts/keyCaps";
import { VisibleName } from "../../ui/visibleName";
import { LineCounts, StatusLetter } from "./fileHeader";
import { rowsOf } from "./fileRows";

interface FileListProps {
  files: readonly DiffFile[];
  viewed: ReadonlySet<string>;
  current: number;
  onChoose: (index: number) => void;
}

/** The virtualized list of files by directory. The current file is marked and stays in view. */
export function FileList({ files, viewed, current, onChoose }: FileListProps) {
  const rows = useMemo(() => rowsOf(files), [files]);
  const box = useRef<HTMLElement>(null);
  const at = rows.findIndex((row) => "index" in row && row.index === current);
  const { first, last, onScroll, style } = useRowWindow(box, rows.length, at);
  return (
    <div className="hidden w-72 shrink-0 flex-col border-line border-r @3xl:flex">
      <nav
        ref={box}
        aria-label="Changed files"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the list scrolls by keyboard.
        tabIndex={0}
        onScroll={onScroll}
        className="min-h-0 flex-1 overflow-y-auto"
      >
        <ul style={style}>
          {rows.slice(first, last).map((row) => (
            <li key={"file" in row ? row.file.path : `directory ${row.directory}`} style={{ height: ROW_PX }}>
              {"file" in row ? (
                <button
                  type="button"
                  aria-current={row.index === current ? "true" : undefined}
                  onClick={() => onChoose(row.index)}
                  className="flex h-7 w-full cursor-pointer items-center gap-1.5 px-3 text-left text-sm hover:bg-hover aria-[current=true]:bg-accent-soft"
                >
                  <StatusLetter status={row.file.status} />
                  <VisibleName
                    title={row.file.path}
                    className={`truncate ${viewed.has(row.file.path) ? "text-muted" : ""}`}
                  >
                    {row.name}
                  </VisibleName>
                  {viewed.has(row.file.path) && (
                    <span className="shrink-0 text-muted">
                      <Check aria-hidden="true" className="size-3.5" />
                      <span className="sr-only">viewed</span>
                    </span>
                  )}
                  <span className="ml-auto">
                    <LineCounts {...row.file} />
                  </span>
                </button>
              ) : (
                <span
                  title={visibleName(row.directory)}
                  className="block truncate px-3 text-left text-muted text-xs leading-7 [direction:rtl]"
                >
                  <VisibleName>{row.directory}</VisibleName>
                </span>
              )}
            </li>
          ))}
        </ul>
      </nav>
      <Keys />
    </div>
  );
}

const keys = [
  ["j", "k", "file"],
  ["n", "p", "change"],
  ["Enter", "collapse"],
  ["v", "viewed"],
  ["u", "side by side"],
  ["/", "find"],
  ["J", "K", "select"],
  ["a", "ask an agent"],
];

const Keys = () => (
  <p className="flex flex-wrap gap-x-3 gap-y-1 border-line border-t px-3 py-2 text-muted text-xs">
    {keys.map((row) => (
      <span key={row.at(-1)} className="flex items-center gap-1">
        {row.slice(0, -1).map((key) => (
          <KeyCaps key={key} keys={key} />
        ))}
        {row.at(-1)}
      </span>
    ))}
  </p>
);
