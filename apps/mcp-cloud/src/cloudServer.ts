import { createServer, type ListedTool, type Logger, type ToolServer } from "@grove/mcp";
import { about } from "./about.static";
import type { CloudOptions } from "./cloud";

export interface CloudServerOptions extends CloudOptions {
  readonly serviceName: string;
  /** Those of `about.tools` that are offered. */
  readonly tools: readonly ListedTool[];
  readonly log: Logger;
}

/** The cloud tool server. It loads its tools, and asks the API for something, when the first one is called. */
export function createCloudServer({ serviceName, tools, log, ...options }: CloudServerOptions): ToolServer {
  return createServer({
    ...about,
    name: serviceName,
    tools,
    log,
    async load() {
      const [{ Cloud }, server] = await Promise.all([import("./cloud"), import("./server")]);
      const app = new Cloud(options);
      return { tools: server.tools, app, admit: (context) => app.admit(context) };
    },
  });
}
