/** Ctrl and Alt, which apply to the next key. */
export interface Modifiers {
  ctrl: boolean;
  alt: boolean;
}

export const NO_MODIFIERS: Modifiers = { ctrl: false, alt: false };

const arrows = { Left: "D", Down: "B", Up: "A", Right: "C" } as const;
const keys = { Esc: "\x1b", Tab: "\t", "|": "|", "/": "/", "-": "-" } as const;

export type TouchKey = keyof typeof arrows | keyof typeof keys;

const isArrow = (key: TouchKey): key is keyof typeof arrows => Object.hasOwn(arrows, key);

/** Returns what a key sends. Programs choose between two forms of the arrow keys (DECCKM). */
export const textOfKey = (key: TouchKey, applicationCursorKeys: boolean): string =>
  isArrow(key) ? `\x1b${applicationCursorKeys ? "O" : "["}${arrows[key]}` : keys[key];

/** An arrow key, Home or End. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: sequences begin with Escape.
const CURSOR_KEY = /^\x1b[[O]([ABCDHF])$/;

/**
 * Applies Ctrl and Alt to a typed key, as a keyboard would. A longer text, such as a word that the touch keyboard
 * completes, stays unchanged.
 * @see https://invisible-island.net/xterm/ctlseqs/ctlseqs.html "PC-Style Function Keys"
 */
export function withModifiers(text: string, { ctrl, alt }: Modifiers): string {
  const cursorKey = CURSOR_KEY.exec(text)?.[1];
  if (cursorKey && (ctrl || alt)) return `\x1b[1;${1 + (alt ? 2 : 0) + (ctrl ? 4 : 0)}${cursorKey}`;
  if ([...text].length !== 1) return text;
  return `${alt ? "\x1b" : ""}${ctrl ? controlCharacter(text) : text}`;
}

function controlCharacter(character: string): string {
  if (character === "?") return "\x7f";
  const code = character.toUpperCase().charCodeAt(0);
  return code >= 0x40 && code <= 0x5f ? String.fromCharCode(code & 0x1f) : character;
}
