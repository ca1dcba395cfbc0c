import { bundledChromium } from "./bundled";
import { installedChromium, type Kind } from "./present.js";

/** A program that can be started, and what it needs in its environment. */
export interface Found {
  readonly path: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * The browser to use: that of `CHROMIUM_PATH`, otherwise this machine's, otherwise the bundled one; or the one of a kind.
 * @throws Error when there is none
 */
export async function findChromium(kind?: Kind): Promise<Found> {
  const path = kind === "bundled" ? undefined : installedChromium();
  if (path !== undefined) return { path, env: {} };
  const bundled = kind === "installed" ? undefined : await bundledChromium();
  if (bundled) return bundled;
  throw new Error("There is no Chromium. Install one, or set CHROMIUM_PATH to its program.");
}
