/**
 * A folded text has at most this many characters, or as many as its original. Folding can make 18 characters of one
 * (U+FDFA), and an index entry for each.
 */
const MAX_CHARACTERS = 50_000;

/** Folds a text for searching: letter case and the encoding of accents and widths no longer matter. */
export const foldForSearch = (text: string): string =>
  // The Greek small sigma has a second form at the end of a word.
  text.normalize("NFKC").toLowerCase().replaceAll("ς", "σ").slice(0, Math.max(text.length, MAX_CHARACTERS));

/** Returns the text of a task that searches match. */
export const searchTextOf = (title: string, description: string | null): string =>
  foldForSearch(`${title}\n${description ?? ""}`);
