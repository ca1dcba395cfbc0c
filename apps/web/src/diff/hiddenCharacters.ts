import { countHidden, findHidden } from "@grove/schemas";
import { memoizePerFile } from "./memoizePerFile";
import { changesOnlyLineEndings, hunksOf } from "./patch/hunks";

/** Counts the invisible characters in a file's changed lines. */
export const hiddenCharactersIn = memoizePerFile((file) => countHidden(hunksOf(file.patch ?? "")));

/** Whether only line endings changed, for example from LF to CRLF. */
export const hasOnlyLineEndings = memoizePerFile(({ patch }) => changesOnlyLineEndings(patch ?? ""));

/** Puts a visible mark before each hidden character in a file's lines, without changing the text. */
export function markHidden({ shadowRoot }: HTMLElement): void {
  if (!shadowRoot) return;
  const walker = document.createTreeWalker(shadowRoot, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) if (walker.currentNode instanceof Text) texts.push(walker.currentNode);
  for (const text of texts) if (!text.parentElement?.closest("[data-hidden], style")) markIn(text);
}

function markIn(text: Text): void {
  // Backwards, so that the earlier offsets stay valid.
  for (const { at, length, mark } of findHidden(text.data).reverse()) {
    const character = text.splitText(at);
    character.splitText(length);
    const span = document.createElement("span");
    span.dataset.hidden = mark;
    character.replaceWith(span);
    span.append(character);
  }
}
