import { createServer, type ListedTool, type Logger, type ToolServer } from "@grove/mcp";
import { about } from "./about.static";
import type { ApiSessionOptions } from "./api/apiSession";

export interface CloudServerOptions extends Omit<ApiSessionOptions, "fetch"> {
  /** The data directory of a Grove on this machine, used instead of an address and a key. */
  readonly local?: string | undefined;
  readonly serviceName: string;
  /** The offered subset of `about.tools`. */
  readonly tools: readonly ListedTool[];
  readonly log: Logger;
}

/** The cloud tool server. It loads its tools, and contacts the API, with the first call of a tool. */
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
      const [{ ApiSession }, server] = await Promise.all([import("./api/apiSession"), import("./tools")]);
      // With a data directory, its fetch supplies address and key.
      const found = local === undefined ? {} : await reach(local);
      const app = new ApiSession({ ...options, ...found });
      return { tools: server.tools, app, admit: (context) => app.admit(context) };
    },
  });
}

async function reach(dataDir: string): Promise<Pick<ApiSessionOptions, "apiKey" | "fetch">> {
  const { createLocalFetch } = await import("./local");
  return { apiKey: "local", fetch: createLocalFetch(dataDir) };
}
