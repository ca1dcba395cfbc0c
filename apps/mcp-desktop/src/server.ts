import { createServer, type ListedTool, type ToolServer } from "@grove/mcp";
import { about } from "./about.static";
import type { DesktopOptions } from "./desktop";

export interface DesktopServerOptions extends DesktopOptions {
  /** The offered tools. */
  readonly tools: readonly ListedTool[];
  /** Whether the server must change nothing. */
  readonly readOnly: boolean;
}

/** The desktop tool server. It connects to the app with the first call of a tool. */
export const createDesktopServer = ({ tools, readOnly, ...options }: DesktopServerOptions): ToolServer =>
  createServer({
    ...about,
    tools,
    log: options.log,
    async load() {
      const [{ Desktop }, server] = await Promise.all([import("./desktop"), import("./tools")]);
      const app = new Desktop(options);
      return { tools: readOnly ? server.readOnlyTools : server.tools, app, close: () => app.close() };
    },
  });
