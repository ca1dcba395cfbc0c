import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { temporaryDirectory } from "./programs";
import type { Scope } from "./scope";

interface McpResult {
  readonly text: string;
  /** The length of the serialized result. */
  readonly bytes: number;
}

export interface McpServer {
  /** @throws {Error} if the tool fails */
  call(name: string, args?: Record<string, unknown>): Promise<McpResult>;
}

/** Starts an MCP server over stdio, in a directory of its own, and initializes it with the SDK's client. */
export async function startMcpServer(
  scope: Scope,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<McpServer> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...args],
    cwd: temporaryDirectory(scope),
    env: { NODE_ENV: "production", ...env },
    stderr: "ignore",
  });
  const client = new Client({ name: "bench", version: "0.0.0" });
  scope.defer(() => client.close());
  await client.connect(transport);
  return {
    async call(name, given = {}) {
      const result = (await client.callTool({ name, arguments: given })) as CallToolResult;
      const [first] = result.content;
      const text = first?.type === "text" ? first.text : "";
      if (result.isError) throw new Error(`${name}: ${text}`);
      return { text, bytes: Buffer.byteLength(JSON.stringify(result)) };
    },
  };
}
