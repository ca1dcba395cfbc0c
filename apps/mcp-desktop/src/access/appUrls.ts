import { ToolError } from "@grove/mcp";
import { cutMarked } from "../text";

/**
 * The address of a path of the app. In an app that routes by hash, a path is a route: `/settings` becomes `#/settings`.
 * Such an app has `#/…` in its address, or was loaded from a file, so that the address's path is one on disk.
 * @throws {ToolError} for a path that leads out of the app: to another host, or to another scheme, for which `url` has
 * its own check
 */
export function resolvePath(path: string, current: string): string {
  const url = new URL(current);
  if (path.startsWith("#")) url.hash = path;
  else if (path.startsWith("/") && (url.hash.startsWith("#/") || url.protocol === "file:")) url.hash = path;
  else return withinApp(path, url);
  return url.href;
}

function withinApp(path: string, current: URL): string {
  const isRelative = !URL.canParse(path) && URL.canParse(path, current);
  const url = isRelative ? new URL(path, current) : undefined;
  if (url?.host === current.host) return url.href;
  throw new ToolError(
    "invalid_path",
    `${JSON.stringify(cutMarked(path, 200))} is not a path of the app, which is at ${cutMarked(current.href, 200)}`,
    "Give one such as /settings, or a full address as url.",
  );
}

/**
 * Restricts an app to files below its own directory.
 * @param own the file that the app was loaded from
 * @throws {ToolError} for any other file
 */
export function requireOwnFile(url: string, own: string | undefined): void {
  const directory = own === undefined ? undefined : new URL(".", own);
  const { host, pathname } = new URL(url);
  if (directory && host === directory.host && pathname.startsWith(directory.pathname)) return;
  throw new ToolError(
    "file_not_allowed",
    `${JSON.stringify(cutMarked(url, 200))} is outside the app's directory`,
    directory ? `Its files are below ${cutMarked(directory.href, 200)}.` : "Use http and https.",
  );
}
