/** Scripts whose letters are written with joiners: Arabic and its relatives, Mongolian, and those of South Asia. */
const JOINED = [
  ...["Arab", "Syrc", "Mand", "Nkoo", "Mong", "Deva", "Beng", "Guru", "Gujr", "Orya", "Taml"],
  ...["Telu", "Knda", "Mlym", "Sinh", "Khmr", "Mymr", "Tibt"],
]
  .map((script) => `\\p{Script=${script}}`)
  .join("");

/** Some letters and marks are invisible themselves, such as the fillers of Hangul: nothing is needed after them. */
const AFTER_VISIBLE = String.raw`(?<!\p{Default_Ignorable_Code_Point})`;

/** Invisible characters where writing needs them, with the character before them that does. */
const NEEDED = [
  // Emoji of several parts, such as a family.
  String.raw`(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}]\ufe0f?)\u200d(?=\p{Extended_Pictographic})`,
  `(?<=[${JOINED}])${AFTER_VISIBLE}[\\u200c\\u200d]`,
  // The style of one character: emoji or text, a form of an ideograph, a form of a Mongolian letter.
  String.raw`(?<=[\p{L}\p{N}\p{P}\p{S}])${AFTER_VISIBLE}[\ufe00-\ufe0f]`,
  String.raw`(?<=\p{Script=Han})${AFTER_VISIBLE}[\u{e0100}-\u{e01ef}]`,
  String.raw`(?<=\p{Script=Mong})${AFTER_VISIBLE}[\u180b-\u180d\u180f]`,
  // Flags, such as that of Scotland.
  String.raw`(?<=\u{1f3f4})[\u{e0061}-\u{e007a}\u{e0030}-\u{e0039}]{3,6}\u{e007f}`,
].join("|");

/** Controls, line separators, and characters without a glyph: bidirectional controls, zero-width characters, tags. */
const HIDDEN = String.raw`[\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]`;

/** A needed character is in the first group, so that it does not count as hidden. */
const FIND = new RegExp(`(${NEEDED})|${HIDDEN}`, "gu");

/** The abbreviations of Unicode. */
const ABBREVIATIONS: Record<number, string> = {
  173: "SHY",
  1564: "ALM",
  8203: "ZWSP",
  8204: "ZWNJ",
  8205: "ZWJ",
  8206: "LRM",
  8207: "RLM",
  8232: "LS",
  8233: "PS",
  8234: "LRE",
  8235: "RLE",
  8236: "PDF",
  8237: "LRO",
  8238: "RLO",
  8288: "WJ",
  8294: "LRI",
  8295: "RLI",
  8296: "FSI",
  8297: "PDI",
  65279: "ZWNBSP",
};

/** The Unicode block of pictures of controls, in the order of the controls. */
const PICTURES = 0x2400;
const PICTURE_OF_DELETE = "␡";

function markOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCharCode(PICTURES + code);
  if (code === 0x7f) return PICTURE_OF_DELETE;
  return `⟨${ABBREVIATIONS[code] ?? `U+${code.toString(16).toUpperCase().padStart(4, "0")}`}⟩`;
}

/** Replaces each hidden character, except those that the text needs and those that are kept. */
const replaceHidden = (text: string, kept: string, by: (character: string) => string): string =>
  text.replaceAll(FIND, (found: string, needed?: string) =>
    needed !== undefined || kept.includes(found) ? found : by(found),
  );

/** The characters that lay out a text of several lines. */
const LAYOUT = "\t\n\r";

/**
 * Returns a name with a visible mark for each character that a reader would not see, or that changes the order of the
 * others: `␊`, `␉`, `⟨RLO⟩`, `⟨ZWSP⟩`, `⟨U+E0041⟩`. For names that others chose: of files, branches, tasks, people,
 * workspaces. Joiners and variation selectors stay where a script or an emoji needs them. Use the result only for
 * display: it is no longer the name.
 */
export const visibleName = (name: string): string => replaceHidden(name, "", markOf);

/** Like `visibleName`, for a text of several lines. Keeps tabs and line breaks. */
export const visibleText = (text: string): string => replaceHidden(text, LAYOUT, markOf);

/**
 * Marks carriage returns, too. For lines that a terminal shows, where a carriage return would let a name overwrite the
 * line.
 */
export const visibleLines = (text: string): string => replaceHidden(text, "\t\n", markOf);

/** Returns a text of several lines without its hidden characters. */
export const withoutHidden = (text: string): string => replaceHidden(text, LAYOUT, () => "");

/** A hidden character: its place in the text, its length there, and its mark. */
export interface HiddenCharacter {
  at: number;
  length: number;
  mark: string;
}

/** Finds the characters of a text that {@link visibleText} would mark, in their order. */
export const findHidden = (text: string): HiddenCharacter[] =>
  [...text.matchAll(FIND)]
    .filter(([found, needed]) => needed === undefined && !LAYOUT.includes(found))
    .map(({ 0: found, index }) => ({ at: index, length: found.length, mark: markOf(found) }));

/** Counts the characters of a text that {@link visibleText} would mark. */
export const countHidden = (text: string): number => findHidden(text).length;
