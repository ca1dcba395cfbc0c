/** Characters that a person does not see, or that change the order in which the others are seen. */
const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the regular expression looks for them.
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;

/** How many characters of a text nobody would see. */
export const hiddenIn = (text: string): number => text.match(HIDDEN)?.length ?? 0;

/** A text with each hidden character as its number, such as ⟨U+202E⟩. */
export const marked = (text: string): string =>
  text.replaceAll(
    HIDDEN,
    (sign) => `⟨U+${sign.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}⟩`,
  );

/** A text without its hidden characters. */
export const withoutHidden = (text: string): string => text.replaceAll(HIDDEN, "");
