/**
 * Splits a command line into arguments as a POSIX shell does, with quotes and backslashes but no expansions.
 * @returns undefined if a quote is not closed
 */
export function splitCommand(line: string): string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let quote = "";
  for (let at = 0; at < line.length; at++) {
    const char = line.charAt(at);
    const next = line.charAt(at + 1);
    if (char === "\\" && next !== "" && (quote === "" || (quote === '"' && /["\\]/.test(next)))) {
      word = (word ?? "") + next;
      at++;
    } else if (quote !== "") {
      if (char === quote) quote = "";
      else word += char;
    } else if (char === '"' || char === "'") {
      quote = char;
      word ??= "";
    } else if (/\s/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? "") + char;
  }
  if (quote !== "") return undefined;
  return word === undefined ? words : [...words, word];
}
