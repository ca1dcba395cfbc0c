import { basename, dirname } from "node:path/posix";

/** A changed file: git's letter, and its path. */
export interface NamedChange {
  status: string;
  path: string;
  /** The path before a rename. */
  oldPath: string | undefined;
}

const verbs: Partial<Record<string, string>> = { A: "Add", D: "Delete", R: "Rename" };

/** Suggests a commit's message from the names of the changed files: `Update login.ts`, `Add 3 files in src`. */
export function suggestMessage(changes: readonly NamedChange[]): string {
  const [first, ...others] = changes;
  if (first === undefined) return "";
  const statuses = new Set(changes.map(({ status }) => status));
  const verb = (statuses.size === 1 && verbs[first.status]) || "Update";
  if (others.length === 0 && first.oldPath !== undefined) return renamed(first.oldPath, first.path);
  if (others.length === 0) return `${verb} ${oneLine(basename(first.path))}`;
  const directory = commonDirectory(changes.map(({ path }) => dirname(path)));
  return `${verb} ${changes.length} files${directory === "." ? "" : ` in ${oneLine(directory)}`}`;
}

function renamed(from: string, to: string): string {
  const [before, after] = [basename(from), basename(to)];
  return before === after ? `Move ${oneLine(after)}` : `Rename ${oneLine(before)} to ${oneLine(after)}`;
}

/** The deepest directory that contains all of these; "." for the top. */
function commonDirectory([first = ".", ...others]: readonly string[]): string {
  let common = first;
  for (const other of others)
    while (common !== "." && other !== common && !other.startsWith(`${common}/`)) common = dirname(common);
  return common;
}

const oneLine = (name: string): string => name.replace(/\s+/g, " ").slice(0, 100);
