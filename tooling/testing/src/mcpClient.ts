import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import {
  getDefaultEnvironment,
  StdioClientTransport,
  type StdioServerParameters,
} from "@modelcontextprotocol/sdk/client/stdio.js";

/** The environment that an MCP client gives a server: a few of the client's own variables, plus the configured ones. */
export const serverEnvironment = (env: Record<string, string> = {}) => ({
  ...getDefaultEnvironment(),
  ...env,
});

/**
 * Starts an MCP server as an MCP client does, over stdio, with the SDK's own client. The server gets
 * {@link serverEnvironment} of `env`.
 * @param closeAfter takes the function that ends client and server, and calls it later: `onTestFinished`, `afterAll`
 * @returns the client, which has listed the tools, so that it checks every result against its schema
 * @throws {Error} when the server ends or refuses
 */
export async function startMcpServer(
  server: StdioServerParameters,
  closeAfter?: (close: () => Promise<void>) => void,
): Promise<Client> {
  const client = new Client({ name: "test", version: "1" });
  closeAfter?.(() => client.close());
  const { env, ...rest } = server;
  await client.connect(new StdioClientTransport({ ...rest, env: serverEnvironment(env) }));
  await client.listTools();
  return client;
}
