import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

const recorder = fileURLToPath(new URL("./recordCache.js", import.meta.url));

/**
 * Writes the code cache of an MCP server's program, for the Node that runs this. It makes the program answer the first
 * requests of every client, and keeps the code that V8 compiled for them.
 * @param {string} program
 * @param {string} cache
 */
export async function makeCodeCache(program, cache) {
  const clientInfo = { name: "build", version: "0.0.0" };
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  const messages = [
    { id: 1, method: "initialize", params },
    { method: "notifications/initialized" },
    { id: 2, method: "tools/list" },
    // Loads the SDK, but no tool.
    { id: 3, method: "tools/call", params: { name: "" } },
  ];
  const child = spawn(process.execPath, [recorder, program, cache], {
    env: {},
    stdio: ["pipe", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  child.stdin.end(messages.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join(""));
  const answers = await text(child.stdout);
  const [code] = await exited;
  if (code !== 0 || !answers.includes('"id":3'))
    throw new Error(`${program} did not answer tools/list (${code}).`);
}
