import { type DiffFile, messageOf } from "@grove/schemas";
import type { FileDiffMetadata } from "@pierre/diffs";
import { onKeys } from "../../ui/inputMethod";
import { showToast } from "../../ui/showToast";
import { type DiffSource, readSide } from "../source";
import { matchesTexts } from "./diffLines";

/** The number of unchanged lines that one step shows. */
export const STEP = 20;

/**
 * Reads both sides of a file, for the viewer to show the unchanged lines between the changes. A toast reports a
 * failure.
 * @throws {Error} if the lines cannot be shown
 */
export async function loadSides(source: DiffSource, file: DiffFile, diff: FileDiffMetadata) {
  try {
    const [before, after] = await Promise.all([
      readSide(source, file, "before"),
      readSide(source, file, "after"),
    ]);
    if (!matchesTexts(diff, before, after))
      throw new Error("The file has changed in the meantime. Refresh the changes, and try again.");
    return {
      oldFile: { name: file.oldPath ?? file.path, contents: before },
      newFile: { name: file.path, contents: after },
    };
  } catch (error) {
    showToast({
      title: "Could not load the unchanged lines.",
      description: messageOf(error),
    });
    throw error;
  }
}

const withButtonKeys = new WeakSet<HTMLElement>();

/** Makes the viewer's buttons for unchanged lines usable by keyboard and screen readers. */
export function labelExpandButtons(node: HTMLElement): void {
  for (const button of node.shadowRoot?.querySelectorAll<HTMLElement>("[data-expand-button]") ?? []) {
    button.tabIndex = 0;
    button.setAttribute("aria-label", labelOf(button));
  }
  if (withButtonKeys.has(node)) return;
  withButtonKeys.add(node);
  node.addEventListener(
    "keydown",
    onKeys((event: KeyboardEvent) => {
      const [button] = event.composedPath();
      if (event.key !== "Enter" && event.key !== " ") return;
      if (!(button instanceof HTMLElement) || !button.hasAttribute("data-expand-button")) return;
      event.preventDefault();
      button.click();
    }),
  );
}

function labelOf({ dataset }: HTMLElement): string {
  if (dataset.expandUp !== undefined) return `Show ${STEP} lines after the previous change`;
  if (dataset.expandDown !== undefined) return `Show ${STEP} lines before the next change`;
  return "Expand all unchanged lines";
}
