import { fileURLToPath } from "node:url";
import { serverEnvironment, startMcpServer } from "@grove/testing/mcpClient";
import { runProgram } from "@grove/testing/process";
import { onTestFinished } from "vitest";

/** The built program, as an MCP client starts it. */
const program = fileURLToPath(new URL("../../dist/main.js", import.meta.url));

/** Starts the built program under the SDK's own client; it ends with the test. */
export const connectProgram = (env: Record<string, string> = {}, args: string[] = []) =>
  startMcpServer(
    { command: process.execPath, args: [program, ...args], env: { LOG_LEVEL: "error", ...env } },
    onTestFinished,
  );

/** Runs the program to its end. */
export const run = (argv: string[], env: Record<string, string> = {}) =>
  runProgram([process.execPath, program, ...argv], { env: serverEnvironment(env) });
