import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { type Started, startProgram } from "@grove/testing/process";

// createRequire, because vitest's global set-up has no import.meta.resolve.
const manifest = createRequire(import.meta.url).resolve("@grove/api/package.json");

/** The path of the built API. */
export const program = join(dirname(manifest), "dist/main.js");

/**
 * Starts the built API with no variable of this process's environment except PATH.
 * @param path of another copy of the program
 */
export const startApi = (env: Record<string, string>, path = program): Started =>
  startProgram([process.execPath, path], { env: { PATH: process.env.PATH, ...env } });

/**
 * Resolves with the API's address when it listens.
 * @throws {Error} when it ends before that
 */
export const listening = async (api: Started): Promise<string> =>
  JSON.parse(await api.waitForLine('"msg":"listening"')).url;
