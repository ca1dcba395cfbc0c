import type { DiffFile } from "@grove/schemas";
import { visibleName } from "@grove/schemas";
import { Check } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { KeyCaps } from "../shortcuts/keyCaps";
import { VisibleName } from "../ui/visibleName";
import { Counts, Letter } from "./header";
import { rowsOf } from "./tree";

const ROW_PX = 28;
/** The number of rows that are rendered above and below the visible ones. */
const OVERSCAN = 10;

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
  const [viewport, setViewport] = useState({ top: 0, height: 800 });
  const at = rows.findIndex((row) => "index" in row && row.index === current);
  useEffect(() => {
    const { current: node } = box;
    if (!node || at < 0) return;
    const top = at * ROW_PX;
    if (top < node.scrollTop) node.scrollTop = Math.max(0, top - ROW_PX);
    else if (top + ROW_PX > node.scrollTop + node.clientHeight)
      node.scrollTop = top + 2 * ROW_PX - node.clientHeight;
  }, [at]);
  const first = Math.max(0, Math.floor(viewport.top / ROW_PX) - OVERSCAN);
  const last = Math.min(rows.length, Math.ceil((viewport.top + viewport.height) / ROW_PX) + OVERSCAN);
  return (
    <div className="hidden w-72 shrink-0 flex-col border-line border-r lg:flex">
      <nav
        ref={box}
        aria-label="Changed files"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the list scrolls by keyboard.
        tabIndex={0}
        onScroll={({ currentTarget: { scrollTop, clientHeight } }) =>
          setViewport({ top: scrollTop, height: clientHeight })
        }
        className="min-h-0 flex-1 overflow-y-auto"
      >
        <ul style={{ paddingTop: first * ROW_PX, paddingBottom: (rows.length - last) * ROW_PX }}>
          {rows.slice(first, last).map((row) => (
            <li key={"file" in row ? row.file.path : `directory ${row.directory}`} style={{ height: ROW_PX }}>
              {"file" in row ? (
                <button
                  type="button"
                  aria-current={row.index === current ? "true" : undefined}
                  onClick={() => onChoose(row.index)}
                  className="flex h-7 w-full cursor-pointer items-center gap-1.5 px-3 text-left text-sm hover:bg-hover aria-[current=true]:bg-accent-soft"
                >
                  <Letter status={row.file.status} />
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
                    <Counts {...row.file} />
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
  ["Enter", "fold"],
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
