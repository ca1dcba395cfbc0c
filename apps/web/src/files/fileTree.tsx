import { visibleName } from "@grove/schemas";
import { useEffect, useRef } from "react";
import { Tree } from "../ui/tree";
import { TreeRowContent } from "./treeRowContent";
import type { TreeRow } from "./treeRows";
import type { useTree } from "./useTree";

interface FileTreeProps {
  tree: ReturnType<typeof useTree>;
  /** The open file. */
  file: string | undefined;
  onOpenFile: (path: string) => void;
}

export function FileTree({
  tree: { rows, active, setActive, toggle, retry },
  file,
  onOpenFile,
}: FileTreeProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // A shortcut focuses the panel while the tree is still loading.
    if (document.activeElement?.matches("[tabindex='-1']") && document.activeElement.contains(box.current))
      box.current?.focus({ preventScroll: true });
  }, []);
  const choose = (row: TreeRow) => {
    if ("path" in row) onOpenFile(row.path);
    else if (row.note === "failed") retry(row.directory);
  };
  return (
    <Tree
      label="Files"
      rows={rows}
      box={box}
      active={active}
      onActive={setActive}
      isSelected={(row) => "path" in row && row.path === file}
      onToggle={toggle}
      onChoose={choose}
      titleOf={(row) => ("path" in row ? visibleName(row.path) : undefined)}
    >
      {(row) => <TreeRowContent row={row} />}
    </Tree>
  );
}
