/** Returns a path within this console, or "/" if `to` leads to another origin. */
export function consolePath(to: string): string {
  const base = "https://console.invalid";
  if (!URL.canParse(to, base)) return "/";
  const { origin, pathname, search, hash } = new URL(to, base);
  // A path that begins with "//" would be read as a host.
  return origin === base && !pathname.startsWith("//") ? pathname + search + hash : "/";
}
