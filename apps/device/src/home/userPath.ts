import { homedir } from "node:os";
import { join, resolve } from "node:path";

/** Resolves a path that a user typed: `~` is the user's home directory, and relative paths start there. */
export function absolutePath(path: string, { HOME = homedir() }: NodeJS.ProcessEnv): string {
  return path === "~" || path.startsWith("~/") ? join(HOME, path.slice(1)) : resolve(HOME, path);
}
