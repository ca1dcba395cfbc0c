import { mcpServer } from "../announce";
import { type ClientName, clients, type McpClient } from "../clients/clients";
import { addTo, blockFor } from "../clients/configuration";
import type { Env } from "../env";

/**
 * `grove connect <client>`: puts Grove's MCP server into the configuration of an MCP client. With `print`, and without a
 * client, it shows what belongs there. No key and no address is in it: the server reads them in the data directory.
 */
export async function connect(
  name: ClientName | undefined,
  dataDir: string,
  env: Env,
  { print }: { print: boolean },
): Promise<void> {
  const server = mcpServer(dataDir);
  const client: McpClient | undefined = name && clients[name];
  if (!client || print) {
    process.stdout.write(blockFor(client?.format ?? "mcpServers", server));
    return;
  }
  const path = client.path(env.home, process.platform);
  await addTo(path, client.format, server);
  process.stdout.write(
    `${client.title} knows Grove now (${path}). Start it again, and ask it to list your Grove projects.\n`,
  );
}
