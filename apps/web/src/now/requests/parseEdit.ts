import type { AgentRequest } from "@grove/schemas";

export interface DiffLine {
  sign: " " | "-" | "+";
  text: string;
}

export interface Edit {
  path: string;
  lines: DiffLine[];
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;
const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** Returns the change of a file for which an agent requests permission; undefined for any other request. */
export function parseEdit({ tool, input }: Pick<AgentRequest, "tool" | "input">): Edit | undefined {
  if (!["Edit", "MultiEdit", "Write", "NotebookEdit"].includes(tool)) return undefined;
  const parsed = parse(input ?? "");
  if (!isObject(parsed)) return undefined;
  const path = textOf(parsed.file_path) ?? textOf(parsed.notebook_path);
  const edits = Array.isArray(parsed.edits) ? parsed.edits.filter(isObject) : [parsed];
  const lines = edits.flatMap((edit) => {
    const after = textOf(edit.new_string) ?? textOf(edit.content) ?? textOf(edit.new_source);
    return after === undefined ? [] : diffOf(textOf(edit.old_string) ?? "", after);
  });
  return path === undefined || lines.length === 0 ? undefined : { path, lines };
}

/** The end of a long input is missing, so that it may be no JSON. */
function parse(input: string): unknown {
  try {
    return JSON.parse(input);
  } catch {
    return undefined;
  }
}

/** Returns a line diff: the common prefix, the removed and added lines, and the common suffix. */
function diffOf(before: string, after: string): DiffLine[] {
  const [old, next] = [linesOf(before), linesOf(after)];
  const shorter = Math.min(old.length, next.length);
  let start = 0;
  while (start < shorter && old[start] === next[start]) start++;
  let end = 0;
  while (end < shorter - start && old[old.length - 1 - end] === next[next.length - 1 - end]) end++;
  const signed = (sign: DiffLine["sign"], lines: string[]) => lines.map((text) => ({ sign, text }));
  return [
    ...signed(" ", old.slice(0, start)),
    ...signed("-", old.slice(start, old.length - end)),
    ...signed("+", next.slice(start, next.length - end)),
    ...signed(" ", old.slice(old.length - end)),
  ];
}

const linesOf = (text: string): string[] => (text === "" ? [] : text.replace(/\n$/, "").split("\n"));
