import { useQueries } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { toolQuery } from "../lib/commands/deviceTools";
import { ancestorsOf, type Listing, TOP, treeRows } from "./treeRows";
import type { Worktree } from "./worktree";

/**
 * The tree of a worktree's files. A directory is listed when it is first opened.
 * @param file the open file, which the tree reveals
 */
export function useTree({ target, workspaceId }: Worktree, file: string | undefined) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [active, setActive] = useState("");
  const [revealed, setRevealed] = useState<string>();
  if (file !== undefined && file !== revealed) {
    setRevealed(file);
    setActive(file);
    setOpen(new Set([...open, ...ancestorsOf(file)]));
  }
  const directories = useMemo(() => [...new Set([TOP, ...open])], [open]);
  const { listings, retry } = useQueries({
    queries: directories.map((directory) =>
      toolQuery(target, "list_files", { workspaceId, ...(directory !== TOP && { directory }) }),
    ),
    combine: (results) => ({
      listings: new Map(
        results.map(({ data, error }, index): [string, Listing] => [
          directories[index] ?? TOP,
          { ...data, error },
        ]),
      ),
      retry: (directory: string) => void results[directories.indexOf(directory)]?.refetch(),
    }),
  });
  const rows = useMemo(() => treeRows(listings, open), [listings, open]);
  const toggle = (path: string) => {
    setActive(path);
    setOpen(new Set(open.has(path) ? [...open].filter((each) => each !== path) : [...open, path]));
  };
  return { rows, active, setActive, toggle, retry };
}
