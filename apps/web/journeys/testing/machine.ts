import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startProgram } from "@grove/testing/process";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { onTestFinished } from "vitest";

const program = fileURLToPath(new URL("../../../device/dist/main.js", import.meta.url));

/**
 * A machine with an empty home, on which the real device program runs until the end of the test.
 * @param variables environment variables of its programs
 */
export async function startMachine(apiUrl: string, variables: Record<string, string> = {}) {
  const directory = await temporaryDirectory();
  const { PATH } = process.env;
  const env = { ...variables, PATH, HOME: directory, GROVE_HOME: join(directory, "home"), API_URL: apiUrl };
  return {
    /** The machine's root directory. The device's own files are in `home`. */
    directory,
    /** Starts `grove-device` with these arguments. */
    run: (args: string[], more: NodeJS.ProcessEnv = {}) =>
      startProgram([process.execPath, program, ...args], {
        env: { ...env, ...more },
        cwd: directory,
        endAfter: onTestFinished,
      }),
  };
}
