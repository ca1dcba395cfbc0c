import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeBundle } from "./bundle";
import { describeServer } from "./serverJson";
import { readServers, type Server } from "./servers";

/** The files made of a server. */
export interface Made {
  readonly server: Server;
  /** The path of `<command>.mcpb`. */
  readonly bundle: string;
  /** The path of `<command>/server.json`; mcp-publisher reads the one in its directory. */
  readonly description: string;
}

/**
 * Makes the bundle and the `server.json` of each built server.
 * @param directory where to put them
 * @param address where people will download the bundles from
 */
export const makeAll = async (directory: string, address: string): Promise<Made[]> =>
  Promise.all((await readServers()).map((server) => make(server, directory, address)));

async function make(server: Server, directory: string, address: string): Promise<Made> {
  const bundle = join(directory, `${server.command}.mcpb`);
  await makeBundle(server, bundle);
  const sha256 = createHash("sha256")
    .update(await readFile(bundle))
    .digest("hex");
  const url = `${address.replace(/\/$/, "")}/${server.command}.mcpb`;
  const described = describeServer(server, { url, sha256 });
  const description = join(directory, server.command, "server.json");
  await mkdir(join(directory, server.command), { recursive: true });
  await writeFile(description, `${JSON.stringify(described, null, 2)}\n`);
  return { server, bundle, description };
}
