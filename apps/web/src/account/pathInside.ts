/** A path of this console; "/" in place of anything that leads elsewhere. */
export function pathInside(to: string): string {
  const base = "https://console.invalid";
  if (!URL.canParse(to, base)) return "/";
  const { origin, pathname, search, hash } = new URL(to, base);
  // "//elsewhere" in a path would become a host again.
  return origin === base && !pathname.startsWith("//") ? pathname + search + hash : "/";
}
