import { existsSync } from "node:fs";
import { basename, delimiter, dirname, join, sep } from "node:path";
import { Option } from "commander";
import type { Env } from "./env";
import { launcherPath, repositoryRoot } from "./run/paths";

/** The option of all commands that need local mode's data. */
export const dataDirOption = () =>
  new Option(
    "--data-dir <directory>",
    "where local mode keeps its data (default: DATA_DIR, otherwise .grove)",
  );

/** The data directory of `npm start` in a clone. Commands find it from every directory of the machine. */
const ofClone = (): string | undefined => {
  const root = repositoryRoot();
  return root === undefined ? undefined : join(root, ".grove");
};

/**
 * The data directory of a command other than `start`: the option's, otherwise DATA_DIR, otherwise `.grove` in the
 * current directory, otherwise `.grove` in the clone that contains this program.
 */
export function chooseDataDir(option: string | undefined, env: Env): string {
  if (option !== undefined) return env.resolve(option);
  const candidates = [env.dataDir, ...(env.dataDirIsGiven ? [] : [ofClone()])];
  return candidates.find((path) => path && existsSync(join(path, "local.json"))) ?? env.dataDir;
}

/**
 * A command of this launcher on a data directory, in a form that works in any directory of this machine.
 * @param words the command's name, then its arguments
 */
export function commandFor(
  dataDir: string,
  env: Pick<Env, "path">,
  [name = "", ...rest]: string[],
): string[] {
  const invoked = process.argv[1] ?? "";
  const isOnPath = (env.path ?? "").split(delimiter).includes(dirname(invoked));
  // npx adds its directory only to the PATH of this run.
  const isFromNpx = dirname(invoked).split(sep).includes("_npx");
  const launcher =
    basename(invoked) === "grove" && isOnPath && !isFromNpx ? ["grove"] : ["node", launcherPath];
  const dataDirArgs = dataDir === ofClone() ? [] : ["--data-dir", dataDir];
  return [...launcher, name, ...dataDirArgs, ...rest];
}

/** A command to paste into a POSIX shell. `<path>` and `a | b` stay as they are, for people to fill in. */
export const shell = (words: readonly string[]): string =>
  words
    .map((word) => (/^[\w@%+=:,./-]+$|^<[\w-]+>$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
    .join(" ");
