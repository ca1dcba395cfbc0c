import { createServer, type ListedTool, type Logger, type ToolServer } from "@grove/mcp";
import { about } from "./about.static";
import type { CloudOptions } from "./apiSession";

export interface CloudServerOptions extends Omit<CloudOptions, "fetch"> {
  /** The data directory of a Grove on this machine, instead of an address and a key. */
  readonly local?: string | undefined;
  readonly serviceName: string;
  /** Those of `about.tools` that are offered. */
  readonly tools: readonly ListedTool[];
  readonly log: Logger;
}

/** The cloud tool server. It loads its tools, and asks the API for something, when the first one is called. */
export function createCloudServer({
  serviceName,
  tools,
  log,
  local,
  ...options
}: CloudServerOptions): ToolServer {
  return createServer({
    ...about,
    name: serviceName,
    tools,
    log,
    async load() {
      const [{ Cloud }, server] = await Promise.all([import("./apiSession"), import("./tools")]);
      // With a data directory, address and key are put in by its fetch.
      const found = local === undefined ? {} : await reach(local);
      const app = new Cloud({ ...options, ...found });
      return { tools: server.tools, app, admit: (context) => app.admit(context) };
    },
  });
}

async function reach(dataDir: string): Promise<Pick<CloudOptions, "apiKey" | "fetch">> {
  const { createLocalFetch } = await import("./local");
  return { apiKey: "local", fetch: createLocalFetch(dataDir) };
}
