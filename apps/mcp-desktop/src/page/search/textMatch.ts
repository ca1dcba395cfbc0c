const clean = (text: string) =>
  text
    .normalize("NFC")
    // Direction marks and joiners are invisible.
    .replace(/[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, "")
    .replace(/\s+/g, " ")
    .trim();

/** Normalizes a text for comparison: without case, accents and surrounding punctuation. */
export const fold = (text: string): string =>
  clean(text)
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replace(/^[\s:*.\u2026]+|[\s:*.\u2026]+$/g, "");

/** Scripts without spaces between words. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

const letter = /[\p{L}\p{N}]/u;

/** Whether a word may end between two characters. */
const isBoundary = (before: string, after: string) =>
  !letter.test(before) || !letter.test(after) || unspaced.test(before) || unspaced.test(after);

/** The position of a text in another. It must start at the start of a word and, if `whole`, end at the end of one. */
const indexOfWords = (text: string, sought: string, whole: boolean): number => {
  for (let at = text.indexOf(sought); at >= 0; at = text.indexOf(sought, at + 1)) {
    const end = at + sought.length;
    const begins = at === 0 || isBoundary(text[at - 1] ?? "", text[at] ?? "");
    if (begins && (!whole || end === text.length || isBoundary(text[end - 1] ?? "", text[end] ?? "")))
      return at;
  }
  return -1;
};

/** Words that reverse the meaning of what follows: "Save" is not "Don't save". */
const turning = /(^|[^\p{L}])(no|not|never|without|don.?t|cancel|undo|stop|disable)($|[^\p{L}])/u;

/** Kept between calls, since one text is searched for in thousands. */
let last = { wanted: "", exact: "", sought: "" };

/**
 * How well a text matches: 0 is exact, 1 ignores case, accents and punctuation. From 2 on it is a loose match, whose
 * text contains more than the wanted text. Undefined if it does not match.
 */
export const rankOf = (text: string, wanted: string, fuzzy: boolean): number | undefined => {
  if (wanted !== last.wanted) last = { wanted, exact: clean(wanted), sought: fold(wanted) };
  const { exact, sought } = last;
  if (clean(text) === exact) return 0;
  if (!fuzzy) return undefined;
  const name = fold(text);
  if (name === "" || sought === "") return undefined;
  if (name === sought) return 1;
  if (turning.test(name) && !turning.test(sought)) return undefined;
  const at = indexOfWords(name, sought, true);
  if (at >= 0) return at === 0 ? 2 : 3;
  const words = sought.split(" ");
  if (words.every((word) => indexOfWords(name, word, true) >= 0)) return 4;
  return words.every((word) => indexOfWords(name, word, false) >= 0) ? 5 : undefined;
};
