import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { startProgram } from "@grove/testing/process";
import { onTestFinished } from "vitest";

/** The options with which node runs TypeScript. */
export const typescript = ["--import", import.meta.resolve("tsx")];

/**
 * Starts a TypeScript file of this package as a process of its own, which is killed when the test is over. `lines`
 * yields its stdout line by line.
 */
export function startScript(file: URL, args: string[] = [], env: NodeJS.ProcessEnv = {}) {
  const command = [process.execPath, ...typescript, fileURLToPath(file), ...args];
  const program = startProgram(command, { env: { ...process.env, ...env }, endAfter: onTestFinished });
  return { program, lines: createInterface({ input: program.child.stdout })[Symbol.asyncIterator]() };
}
