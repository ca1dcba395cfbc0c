import { basename, dirname } from "node:path/posix";

const verbs: Partial<Record<string, string>> = { A: "Add", D: "Delete" };

/** Suggests a commit's message from the names of the changed files: `Update login.ts`, `Add 3 files in src`. */
export function suggestMessage(changes: readonly { status: string; path: string }[]): string {
  const [first, ...others] = changes;
  if (first === undefined) return "";
  const statuses = new Set(changes.map(({ status }) => status));
  const verb = (statuses.size === 1 && verbs[first.status]) || "Update";
  if (others.length === 0) return `${verb} ${oneLine(basename(first.path))}`;
  const directory = commonDirectory(changes.map(({ path }) => dirname(path)));
  return `${verb} ${changes.length} files${directory === "." ? "" : ` in ${oneLine(directory)}`}`;
}

/** The deepest directory that contains all of these; "." for the top. */
function commonDirectory([first = ".", ...others]: readonly string[]): string {
  let common = first;
  for (const other of others)
    while (common !== "." && other !== common && !other.startsWith(`${common}/`)) common = dirname(common);
  return common;
}

const oneLine = (name: string): string => name.replace(/\s+/g, " ").slice(0, 100);
