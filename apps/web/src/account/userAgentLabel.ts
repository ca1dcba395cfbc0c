/* The first match counts, because a browser's User-Agent also names the browsers that it is compatible with. */

const browsers = [
  [/\bEdgA?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bFirefox\//, "Firefox"],
  [/\b(Headless)?Chrom(e|ium)\//, "Chrome"],
  [/\bVersion\/.*Safari\//, "Safari"],
] as const;

const systems = [
  [/iPhone|iPad/, "iOS"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/Mac OS X/, "macOS"],
  [/Linux|X11/, "Linux"],
] as const;

const nameIn = (names: readonly (readonly [RegExp, string])[], text: string) =>
  names.find(([pattern]) => pattern.test(text))?.[1];

/** Returns a label for a User-Agent header: "Firefox on Linux", or the first word of an unknown header. */
export function userAgentLabel(userAgent: string | null): string {
  if (!userAgent) return "Unknown";
  const browser = nameIn(browsers, userAgent);
  const system = nameIn(systems, userAgent);
  if (browser === undefined) return userAgent.split(" ", 1).join("").slice(0, 40);
  return system === undefined ? browser : `${browser} on ${system}`;
}
