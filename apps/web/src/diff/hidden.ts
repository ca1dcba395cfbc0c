import { countHidden, type DiffFile, findHidden } from "@grove/schemas";
import { changesOnlyLineEndings, hunksOf } from "./hunks";

/** Computes a value once for each file, since headers are rendered often and patches may be long. */
function oncePerFile<T>(compute: (file: DiffFile) => T): (file: DiffFile) => T {
  const known = new WeakMap<DiffFile, { value: T }>();
  return (file) => {
    const entry = known.get(file) ?? { value: compute(file) };
    known.set(file, entry);
    return entry.value;
  };
}

/** The number of characters in a file's changed lines that a reader would not see. */
export const hiddenOf = oncePerFile((file) => countHidden(hunksOf(file.patch ?? "")));

/** Whether a file's lines differ in nothing but their ends, for example CRLF in place of LF. */
export const hasOnlyLineEndings = oncePerFile(({ patch }) => changesOnlyLineEndings(patch ?? ""));

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
