import { accessSync, constants } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";

// JavaScript, because a vitest.config.ts imports it and Node 20 cannot load TypeScript.

const names = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome"];
const macApplications = ["Chromium", "Google Chrome"].map(
  (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
);

/** The program in CHROMIUM_PATH, otherwise the machine's own browser; undefined if there is neither. */
export function installedChromium() {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH;
  const inPath = (process.env.PATH ?? "")
    .split(delimiter)
    .filter((directory) => directory !== "")
    .flatMap((directory) => names.map((name) => join(directory, name)));
  return [...inPath, ...macApplications].find(isExecutable);
}

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The package with the bundled browser; undefined if it is not installed or has none for the platform. */
export function chromiumPackage() {
  if (process.platform !== "linux" || process.arch !== "x64") return undefined;
  try {
    return createRequire(import.meta.url).resolve("@sparticuz/chromium");
  } catch {
    return undefined;
  }
}

/** @typedef {"bundled" | "installed"} Kind */

/**
 * The kinds of browser that are available.
 * @returns {Kind[]}
 */
export const presentChromiums = () => [
  ...(chromiumPackage() === undefined ? [] : /** @type {const} */ (["bundled"])),
  ...(installedChromium() === undefined ? [] : /** @type {const} */ (["installed"])),
];
