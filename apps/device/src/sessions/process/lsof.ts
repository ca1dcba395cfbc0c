import { execFile } from "node:child_process";
import { promisify } from "node:util";

const LSOF_MS = 10_000;
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Lists open files where there is no `/proc`.
 * @returns one field a line, the first character of which names the field (`-F`); empty if lsof is not installed
 * @see https://lsof.readthedocs.io/en/latest/manpage/#output-for-other-programs
 */
export const runLsof = (args: readonly string[]): Promise<string> =>
  promisify(execFile)("lsof", ["-n", "-P", "-w", ...args], { timeout: LSOF_MS, maxBuffer: MAX_BYTES }).then(
    ({ stdout }) => stdout,
    // lsof exits with 1 if it finds no file, or cannot read a single one.
    (error: { stdout?: string }) => error.stdout ?? "",
  );
