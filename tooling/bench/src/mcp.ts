import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { cleanEnvironment } from "./processes";
import type { Scope } from "./scope";

interface McpResult {
  readonly text: string;
  /** Length of the answer as it travels. */
  readonly bytes: number;
}

export interface McpServer {
  /** @throws when the tool fails */
  call(name: string, args: object): Promise<McpResult>;
}

interface Message {
  id?: number;
  error?: { message: string };
  result?: { isError?: boolean; content?: { text?: string }[] };
}

/** Starts an MCP server over stdio and shakes hands with it. */
export async function startMcpServer(
  scope: Scope,
  args: string[],
  env: Record<string, string>,
): Promise<McpServer> {
  const child = spawn(process.execPath, args, {
    env: cleanEnvironment(env),
    stdio: ["pipe", "pipe", "ignore"],
  });
  const exited = once(child, "exit");
  scope.defer(async () => {
    child.stdin.end();
    await exited;
  });
  const waiting = new Map<number, (line: string) => void>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    const { id } = JSON.parse(line) as Message;
    if (id !== undefined) waiting.get(id)?.(line);
  });
  let last = 0;
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const ask = async (method: string, params: object): Promise<string> => {
    const id = ++last;
    const answer = new Promise<string>((resolve) => waiting.set(id, resolve));
    send({ id, method, params });
    return Promise.race([
      answer,
      exited.then(() => Promise.reject(new Error(`${args[0]} ended during ${method}.`))),
    ]);
  };
  const clientInfo = { name: "bench", version: "0.0.0" };
  await ask("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
  send({ method: "notifications/initialized" });
  return {
    async call(name, args) {
      const line = await ask("tools/call", { name, arguments: args });
      const { result, error } = JSON.parse(line) as Message;
      const text = result?.content?.[0]?.text ?? error?.message ?? "";
      if (error || result?.isError) throw new Error(`${name}: ${text}`);
      return { text, bytes: line.length };
    },
  };
}
