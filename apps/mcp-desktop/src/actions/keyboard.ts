import { ToolError } from "@grove/mcp";

export const modifierNames = ["Alt", "Control", "Meta", "Shift", "ControlOrMeta"] as const;
export type Modifier = (typeof modifierNames)[number];

export const bits: Record<string, number> = { Alt: 1, Control: 2, Meta: 4, Shift: 8 };

export const modifierBits = (modifiers: readonly string[]): number =>
  modifiers.reduce((sum, name) => sum | (bits[name] ?? 0), 0);

export interface Key {
  /** https://www.w3.org/TR/uievents-key/ */
  readonly key: string;
  /** https://www.w3.org/TR/uievents-code/ */
  readonly code: string;
  readonly keyCode: number;
  /** The text that the key types. */
  readonly text?: string;
  readonly location?: number;
}

export const namedKeys: Record<string, Key> = Object.fromEntries(
  (
    [
      ["Enter", 13, "Enter", "\r"],
      ["Tab", 9],
      ["Escape", 27],
      ["Backspace", 8],
      ["Delete", 46],
      ["Insert", 45],
      ["Home", 36],
      ["End", 35],
      ["PageUp", 33],
      ["PageDown", 34],
      ["ArrowLeft", 37],
      ["ArrowUp", 38],
      ["ArrowRight", 39],
      ["ArrowDown", 40],
      ["CapsLock", 20],
      ["ContextMenu", 93],
      ["PrintScreen", 44],
      ["Pause", 19],
      ["Alt", 18, "AltLeft"],
      ["Control", 17, "ControlLeft"],
      ["Meta", 91, "MetaLeft"],
      ["Shift", 16, "ShiftLeft"],
      ...Array.from({ length: 24 }, (_, index) => [`F${index + 1}`, 112 + index] as const),
    ] as const
  ).map(([key, keyCode, code, text]) => [
    key,
    { key, keyCode, code: code ?? key, ...(text && { text }), ...(key in bits && { location: 1 }) },
  ]),
);

const aliases: Record<string, string> = {
  esc: "Escape",
  return: "Enter",
  ctrl: "Control",
  cmd: "Meta",
  command: "Meta",
  option: "Alt",
  space: " ",
  spacebar: " ",
  up: "ArrowUp",
  down: "ArrowDown",
  left: "ArrowLeft",
  right: "ArrowRight",
  del: "Delete",
  plus: "+",
};

const names = new Map(Object.keys(namedKeys).map((name) => [name.toLowerCase(), name]));

/** The keys of a US keyboard that are neither letters nor digits: code, key code, character without and with Shift. */
const symbols = [
  ["Semicolon", 186, ";", ":"],
  ["Equal", 187, "=", "+"],
  ["Comma", 188, ",", "<"],
  ["Minus", 189, "-", "_"],
  ["Period", 190, ".", ">"],
  ["Slash", 191, "/", "?"],
  ["Backquote", 192, "`", "~"],
  ["BracketLeft", 219, "[", "{"],
  ["Backslash", 220, "\\", "|"],
  ["BracketRight", 221, "]", "}"],
  ["Quote", 222, "'", '"'],
] as const;

/** The key of a US keyboard that types a character; undefined if none does. */
export function keyOfCharacter(character: string): Key | undefined {
  if (character === " ") return { key: " ", code: "Space", keyCode: 32, text: " " };
  if (/^[a-z]$/i.test(character)) {
    const upper = character.toUpperCase();
    return { key: character, code: `Key${upper}`, keyCode: upper.charCodeAt(0), text: character };
  }
  const digit = /^[0-9]$/.test(character) ? Number(character) : ")!@#$%^&*(".indexOf(character);
  if (digit >= 0) return { key: character, code: `Digit${digit}`, keyCode: 48 + digit, text: character };
  const symbol = symbols.find(([, , plain, shifted]) => plain === character || shifted === character);
  return symbol && { key: character, code: symbol[0], keyCode: symbol[1], text: character };
}

export interface Chord {
  /** Held while the key is pressed. */
  readonly modifiers: readonly string[];
  /** Undefined if only modifiers are pressed. */
  readonly key: Key | undefined;
}

/**
 * Reads keys such as `["Control", "Shift", "p"]`, and chords such as `["Control+Shift+P"]`. A modifier on its own is
 * held for all keys that follow; if none follow, it is pressed by itself.
 * @throws {ToolError} for a key that does not exist, before anything is pressed
 */
export function readKeys(keys: readonly string[], isMac: boolean): Chord[] {
  const chords: Chord[] = [];
  let heldKeys: string[] = [];
  for (const text of keys) {
    const parts = partsOf(text).map((part) => nameOf(part, text, isMac));
    const last = parts.at(-1) ?? "";
    const before = parts.slice(0, -1);
    const wrong = before.find((part) => !(part in bits));
    if (wrong !== undefined)
      throw badKey(
        text,
        `${JSON.stringify(wrong)} is not a modifier; only Alt, Control, Meta, Shift can be held`,
      );
    if (last in bits) {
      heldKeys = [...new Set([...heldKeys, ...parts])];
      continue;
    }
    const modifiers = [...new Set([...heldKeys, ...before])];
    const key = namedKeys[last] ?? keyOfCharacter(last);
    if (!key)
      throw badKey(text, `no key of a keyboard types ${JSON.stringify(last)}; use type_text for text`);
    chords.push({ modifiers, key: modifiers.length > 0 ? cased(key, modifiers.includes("Shift")) : key });
  }
  return chords.length > 0 ? chords : [{ modifiers: heldKeys, key: undefined }];
}

/** In a chord, only Shift determines the case of a letter: Control+P means Control and p. */
function cased(key: Key, isShifted: boolean): Key {
  if (!/^[a-z]$/i.test(key.key)) return key;
  const letter = isShifted ? key.key.toUpperCase() : key.key.toLowerCase();
  return { ...key, key: letter, text: letter };
}

/** `Control++` means Control and +. */
const partsOf = (text: string): string[] =>
  text.length > 1 && text.endsWith("+")
    ? [
        ...text
          .slice(0, -1)
          .split("+")
          .filter((part) => part !== ""),
        "+",
      ]
    : text === "+" || text === " "
      ? [text]
      : text.split("+").map((part) => (part === " " ? part : part.trim()));

function nameOf(part: string, whole: string, isMac: boolean): string {
  if (part === "ControlOrMeta") return isMac ? "Meta" : "Control";
  if (Array.from(part).length === 1) return part;
  const name = aliases[part.toLowerCase()] ?? names.get(part.toLowerCase());
  if (name !== undefined) return name;
  throw badKey(whole, `there is no key ${JSON.stringify(part)}`);
}

const badKey = (text: string, why: string) =>
  new ToolError(
    "unknown_key",
    `${JSON.stringify(text)}: ${why}`,
    'Nothing was pressed. Keys are single characters or names such as Enter, Escape, Tab, ArrowDown, F5; chords such as "Control+Shift+P".',
  );
