import { countHidden, type DiffFile, findHidden } from "@grove/schemas";
import { hunksOf } from "./hunks";

const counts = new WeakMap<DiffFile, number>();

/** The number of characters in a file's changed lines that a reader would not see. */
export function hiddenOf(file: DiffFile): number {
  const known = counts.get(file);
  if (known !== undefined) return known;
  const count = countHidden(hunksOf(file.patch ?? ""));
  counts.set(file, count);
  return count;
}

/** Marks are no text: they are not copied. The isolation limits a bidirectional control to itself. */
const STYLE = `
[data-hidden] { unicode-bidi: isolate; }
[data-hidden]::before {
  content: attr(data-hidden);
  color: var(--color-warn);
  background: var(--color-warn-soft);
  border-radius: 2px;
}`;

let sheet: CSSStyleSheet | undefined;

/** Puts a visible mark before each hidden character in the lines of a file. The text stays as it is. */
export function markHidden({ shadowRoot }: HTMLElement): void {
  if (!shadowRoot) return;
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
  }
  if (!shadowRoot.adoptedStyleSheets.includes(sheet)) shadowRoot.adoptedStyleSheets.push(sheet);
  const walker = document.createTreeWalker(shadowRoot, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) if (walker.currentNode instanceof Text) texts.push(walker.currentNode);
  for (const text of texts) if (!text.parentElement?.closest("[data-hidden], style")) markIn(text);
}

function markIn(text: Text): void {
  // From the end, so that the places before stay right.
  for (const { at, length, mark } of findHidden(text.data).reverse()) {
    const character = text.splitText(at);
    character.splitText(length);
    const span = document.createElement("span");
    span.dataset.hidden = mark;
    character.replaceWith(span);
    span.append(character);
  }
}
