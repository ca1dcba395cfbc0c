import type { FoundInFiles } from "@grove/schemas";

type Match = FoundInFiles["matches"][number];

/** Groups matches by their file. The files keep their order. */
export function matchGroups(matches: readonly Match[]): { path: string; matches: Match[] }[] {
  const groups = new Map<string, Match[]>();
  for (const match of matches) groups.set(match.path, [...(groups.get(match.path) ?? []), match]);
  return [...groups].map(([path, ofFile]) => ({ path, matches: ofFile }));
}

/** Splits a text at the occurrences of a query, in any case. Every second part is an occurrence. */
export function splitAtMatches(text: string, query: string): string[] {
  const [lowerText, lowerQuery] = [text.toLowerCase(), query.toLowerCase()];
  // Some letters have another length in lower case.
  if (query === "" || lowerText.length !== text.length) return [text];
  const parts: string[] = [];
  let end = 0;
  for (let at = lowerText.indexOf(lowerQuery); at >= 0; at = lowerText.indexOf(lowerQuery, end)) {
    parts.push(text.slice(end, at), text.slice(at, at + query.length));
    end = at + query.length;
  }
  return [...parts, text.slice(end)];
}
