/** Normalizes an untrusted URL for a link. Returns undefined unless it is http or https. */
export function safeHref(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, href } = new URL(url);
  return protocol === "https:" || protocol === "http:" ? href : undefined;
}
