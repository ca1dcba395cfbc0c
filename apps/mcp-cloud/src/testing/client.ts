import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { createLogger } from "@grove/mcp";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { getDefaultEnvironment, StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { about } from "../about.static";
import type { CloudOptions } from "../apiSession";
import { createCloudServer } from "../server";

/** The built program, as an MCP client starts it. */
export const program = fileURLToPath(new URL("../../dist/main.js", import.meta.url));

/** The environment that an MCP client gives a server: little of the client's own, plus the configured variables. */
export const environment = (env: Record<string, string>) => ({ ...getDefaultEnvironment(), ...env });

const open: Client[] = [];

/** Starts the built program under the SDK's own client, which checks results against the listed schemas. */
export async function connect(env: Record<string, string> = {}, args: string[] = []): Promise<Client> {
  const client = new Client({ name: "test", version: "1" });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, ...args],
    env: environment({ LOG_LEVEL: "error", ...env }),
  });
  await client.connect(transport);
  open.push(client);
  await client.listTools();
  return client;
}

/** The same server inside the test's process, where its waits can be shortened. */
export async function connectWithin(options: CloudOptions): Promise<Client> {
  const client = new Client({ name: "test", version: "1" });
  const { tools } = about;
  const server = createCloudServer({ ...options, serviceName: "grove", tools, log: createLogger("error") });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(far), client.connect(near)]);
  open.push(client);
  await client.listTools();
  return client;
}

/** For afterEach: ends what `connect` started. */
export async function closeAll(): Promise<void> {
  await Promise.all(open.splice(0).map((client) => client.close()));
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

/** The address of a port on which nobody listens. */
export async function closedAddress(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no port");
  return `http://127.0.0.1:${address.port}`;
}
