import { bundledChromium } from "./bundled";
import { installedChromium, type Kind } from "./present.js";

/** A browser's program and the environment that it needs. */
export interface Found {
  readonly path: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * The browser to use: the one in `CHROMIUM_PATH`, otherwise the machine's own, otherwise the bundled one. With `kind`,
 * only that kind.
 * @throws {Error} when there is none
 */
export async function findChromium(kind?: Kind): Promise<Found> {
  const path = kind === "bundled" ? undefined : installedChromium();
  if (path !== undefined) return { path, env: {} };
  const bundled = kind === "installed" ? undefined : await bundledChromium();
  if (bundled) return bundled;
  throw new Error("There is no Chromium. Install one, or set CHROMIUM_PATH to its program.");
}
