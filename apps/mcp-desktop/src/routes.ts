/**
 * The address of a path of the app. Where the app routes by hash (it is at `#/…` now, or was loaded from a file, whose
 * path is the disk's), a path is a route: `/settings` becomes `#/settings`.
 */
export function resolvePath(path: string, current: string): string {
  const url = new URL(current);
  if (path.startsWith("#")) url.hash = path;
  else if (path.startsWith("/") && (url.hash.startsWith("#/") || url.protocol === "file:")) url.hash = path;
  else return new URL(path, current).href;
  return url.href;
}
