import { fileURLToPath } from "node:url";
import { createLogger } from "@grove/mcp";
import { startMcpServer } from "@grove/testing/mcpClient";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { onTestFinished } from "vitest";
import { about } from "../about.static";
import type { ApiSessionOptions } from "../api/apiSession";
import { createCloudServer } from "../server";

/** The built program, as an MCP client starts it. */
export const program = fileURLToPath(new URL("../../dist/main.js", import.meta.url));

/** Starts the built program under the SDK's own client; it ends with the test. */
export const connect = (env: Record<string, string> = {}, args: string[] = []): Promise<Client> =>
  startMcpServer(
    { command: process.execPath, args: [program, ...args], env: { LOG_LEVEL: "error", ...env } },
    onTestFinished,
  );

/** Starts the server inside the test's process, where its waits can be shortened. It ends with the test. */
export async function connectWithin(options: ApiSessionOptions): Promise<Client> {
  const client = new Client({ name: "test", version: "1" });
  const { tools } = about;
  const server = createCloudServer({ ...options, serviceName: "grove", tools, log: createLogger("error") });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(far), client.connect(near)]);
  onTestFinished(() => client.close());
  await client.listTools();
  return client;
}

export interface Answer {
  readonly isError: boolean;
  readonly text: string;
  readonly data: Record<string, unknown> | undefined;
}

/** Calls a tool; returns its only text entry and its structured content. */
export async function call(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
): Promise<Answer> {
  const result = await client.callTool({ name, arguments: args });
  const content = result.content as { type: string; text: string }[];
  if (content.length !== 1 || content[0]?.type !== "text")
    throw new Error(`not one text: ${JSON.stringify(result)}`);
  return {
    isError: result.isError === true,
    text: content[0].text,
    data: result.structuredContent as Record<string, unknown> | undefined,
  };
}
