import { type ClientName, clients, type McpClient } from "../clients/clients";
import { addTo, blockFor } from "../clients/configuration";
import type { Env } from "../env";
import { print } from "../print";
import { mcpServer } from "./statusSummary";

/**
 * `grove connect <client>`: adds Grove's MCP server to the configuration of an MCP client. With `print`, it only prints
 * what it would add. The configuration contains no key and no address, since the server reads both
 * from the data directory.
 */
export async function connect(
  name: ClientName | undefined,
  dataDir: string,
  env: Env,
  { print: printOnly }: { print: boolean },
): Promise<void> {
  const server = mcpServer(dataDir);
  const client: McpClient | undefined = name && clients[name];
  if (!client || printOnly) {
    process.stdout.write(blockFor(client?.format ?? "mcpServers", server));
    return;
  }
  const path = client.path(env.home, process.platform);
  await addTo(path, client.format, server);
  print(
    `Grove was added to ${client.title} (${path}). Restart it, and ask it to list your Grove projects.\n`,
  );
}
