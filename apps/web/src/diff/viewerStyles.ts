/**
 * Rules for the viewer's lines, which are in a shadow root.
 * - Generated content is not copied with the text. The isolation keeps a bidirectional control from affecting the line.
 * - A conflict marker is recognized by its weight and colour.
 * - The viewer hides its button for all unchanged lines. Side by side, it is shown once: on the left it would cover the
 *   buttons for some of the lines.
 * - The viewer's note about a missing line end has too little contrast.
 */
const RULES = `
[data-hidden] { unicode-bidi: isolate; }
[data-hidden]::before {
  content: attr(data-hidden);
  color: var(--color-warn);
  background: var(--color-warn-soft);
  border-radius: 2px;
}
[data-conflict] { background: var(--color-warn-soft); font-weight: 700; }
[data-conflict] * { color: var(--color-warn) !important; }
[data-expand-button][data-expand-all-button] {
  display: flex;
  position: absolute;
  inset: 0 0.5ch 0 auto;
  border: 0;
  padding-inline: 1ch;
  border-radius: 6px;
}
[data-deletions] [data-expand-button][data-expand-all-button] { display: none; }
[data-no-newline] span { opacity: 1; }`;

let sheet: CSSStyleSheet | undefined;

/** Adds the rules to a file of the viewer, once. */
export function addViewerStyles({ shadowRoot }: HTMLElement): void {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(RULES);
  }
  if (shadowRoot && !shadowRoot.adoptedStyleSheets.includes(sheet)) shadowRoot.adoptedStyleSheets.push(sheet);
}
