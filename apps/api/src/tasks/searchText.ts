/** Folds a text for searching: letter case and the encoding of accents and widths no longer matter. */
export const foldForSearch = (text: string): string =>
  // The Greek small sigma has a second form at the end of a word.
  text.normalize("NFKC").toLowerCase().replaceAll("ς", "σ");

/** The text of a task that searches match. */
export const searchTextOf = (title: string, description: string | null): string =>
  foldForSearch(`${title}\n${description ?? ""}`);
