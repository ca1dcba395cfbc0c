import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { getDefaultEnvironment, StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

/** The built program, as an MCP client starts it. */
const program = fileURLToPath(new URL("../../dist/main.js", import.meta.url));

const open: Client[] = [];

/** Starts the built program under the SDK's own client. */
export async function connectProgram(env: Record<string, string> = {}, args: string[] = []): Promise<Client> {
  const client = new Client({ name: "test", version: "1" });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [program, ...args],
      env: { ...getDefaultEnvironment(), LOG_LEVEL: "error", ...env },
    }),
  );
  open.push(client);
  return client;
}

/** For afterEach: ends what `connectProgram` started. */
export async function closePrograms(): Promise<void> {
  await Promise.all(open.splice(0).map((client) => client.close()));
}

/** Runs the program to its end. */
export async function run(argv: string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [program, ...argv], { env: { ...getDefaultEnvironment(), ...env } });
  child.stdin.end();
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  return { out, err, code };
}
