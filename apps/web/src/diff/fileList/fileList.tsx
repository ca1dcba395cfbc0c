import type { DiffFile } from "@grove/schemas";
import { visibleName } from "@grove/schemas";
import { Check, ChevronDown, ChevronRight } from "lucide-react";
import { useMemo, useState } from "react";
import { KeyCaps } from "../../shortcuts/keyCaps";
import { Tree } from "../../ui/tree";
import { VisibleName } from "../../ui/visibleName";
import { type ChangedRow, changedRows, isRowOf } from "./changedTree";
import { LineCounts, StatusLetter } from "./fileHeader";

interface FileListProps {
  files: readonly DiffFile[];
  viewed: ReadonlySet<string>;
  current: number;
  onChoose: (index: number) => void;
}

/** The tree of changed files. The row of the current file is marked and stays in view. */
export function FileList({ files, viewed, current, onChoose }: FileListProps) {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const rows = useMemo(() => changedRows(files, closed), [files, closed]);
  const path = files[current]?.path ?? "";
  const marked = rows.find((row) => isRowOf(row, path))?.key;
  const [active, setActive] = useState(marked);
  const [followed, setFollowed] = useState(current);
  if (current !== followed) {
    setFollowed(current);
    setActive(marked);
  }
  const toggle = (key: string) => {
    setActive(key);
    setClosed(new Set(closed.has(key) ? [...closed].filter((each) => each !== key) : [...closed, key]));
  };
  return (
    <div className="hidden w-72 shrink-0 flex-col border-line border-r @3xl:flex">
      <nav aria-label="Changed files" className="flex min-h-0 flex-1 flex-col">
        <Tree
          label="Changed files"
          rows={rows}
          active={active}
          onActive={setActive}
          isSelected={(row) => row.key === marked}
          onToggle={toggle}
          onChoose={({ key }) => onChoose(files.findIndex((file) => file.path === key))}
          titleOf={({ key }) => visibleName(key)}
        >
          {(row) => <RowContent row={row} isViewed={viewed.has(row.key)} />}
        </Tree>
      </nav>
      <Keys />
    </div>
  );
}

function RowContent({ row, isViewed }: { row: ChangedRow; isViewed: boolean }) {
  if (!("file" in row)) {
    const Chevron = row.isOpen ? ChevronDown : ChevronRight;
    return (
      <>
        <Chevron aria-hidden="true" className="size-4 shrink-0 text-muted" strokeWidth={1.75} />
        <VisibleName className="truncate">{row.name}</VisibleName>
      </>
    );
  }
  return (
    <>
      <StatusLetter status={row.file.status} />
      <VisibleName className={`truncate ${isViewed ? "text-muted" : ""}`}>{row.name}</VisibleName>
      {isViewed && (
        <span className="shrink-0 text-muted">
          <Check aria-hidden="true" className="size-3.5" />
          <span className="sr-only">viewed</span>
        </span>
      )}
      <span className="ml-auto">
        <LineCounts {...row.file} />
      </span>
    </>
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
