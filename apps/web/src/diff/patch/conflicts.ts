import { memoizePerFile } from "../memoizePerFile";
import { hunksOf } from "./hunks";

/** A line of seven markers, as git writes them around the sides of a conflict. */
const MARKER = /^(<{7}|\|{7}|>{7})( |$)|^={7}$/;

/** Returns how many conflicts with all their markers a text contains. */
function countConflicts(lines: readonly string[]): number {
  let conflicts = 0;
  let expected: "<" | "=" | ">" = "<";
  for (const line of lines) {
    if (!MARKER.test(line)) continue;
    if (line.startsWith("<")) expected = "=";
    else if (expected === "=" && line.startsWith("=")) expected = ">";
    else if (expected === ">" && line.startsWith(">")) {
      conflicts++;
      expected = "<";
    }
  }
  return conflicts;
}

/** Counts the conflicts whose markers are among a file's added lines. */
export const conflictsIn = memoizePerFile(({ patch }) =>
  countConflicts(
    hunksOf(patch ?? "")
      .split("\n")
      .filter((line) => line.startsWith("+"))
      .map((line) => line.slice(1).replace(/\r$/, "")),
  ),
);

/** Marks the conflict markers among a file's added lines. */
export function markConflicts({ shadowRoot }: HTMLElement): void {
  for (const line of shadowRoot?.querySelectorAll<HTMLElement>("[data-line-type=change-addition]") ?? [])
    line.toggleAttribute(
      "data-conflict",
      line.hasAttribute("data-line") && MARKER.test(line.textContent.trimEnd()),
    );
}
