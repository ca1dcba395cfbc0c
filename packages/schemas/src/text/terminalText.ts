/** Control characters except line breaks, and characters that turn the direction of the text around them. */
const UNSEEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the regular expression looks for them.
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** A text that is safe to show: without characters that hide or reverse others. */
export const withoutUnseen = (value: string): string => value.replaceAll(UNSEEN, "").toWellFormed();
