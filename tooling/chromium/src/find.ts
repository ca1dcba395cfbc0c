import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { bundledChromium } from "./bundled";

/** A program that can be started, and what it needs in its environment. */
export interface Found {
  readonly path: string;
  readonly env: Readonly<Record<string, string>>;
}

const names = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome"];
const macApplications = ["Chromium", "Google Chrome"].map(
  (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
);

/**
 * The browser to use: that of `CHROMIUM_PATH`, else this machine's, else the registry's.
 * @throws Error when there is none
 */
export async function findChromium(): Promise<Found> {
  const path = process.env.CHROMIUM_PATH ?? machineChromium();
  if (path !== undefined) return { path, env: {} };
  const bundled = await bundledChromium();
  if (bundled) return bundled;
  throw new Error("There is no Chromium. Install one, or set CHROMIUM_PATH to its program.");
}

function machineChromium(): string | undefined {
  const inPath = (process.env.PATH ?? "")
    .split(delimiter)
    .filter((directory) => directory !== "")
    .flatMap((directory) => names.map((name) => join(directory, name)));
  return [...inPath, ...macApplications].find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
