import { join } from "node:path";

/** An MCP client, and where it configures the servers that it starts. */
export interface McpClient {
  title: string;
  /** The client's configuration file, in the user's home directory. */
  path(home: string, platform: NodeJS.Platform): string;
  /** The name of the JSON object with the servers, or `toml` for tables of a TOML file. */
  format: "mcpServers" | "servers" | "toml";
}

const inConfig = (home: string, platform: NodeJS.Platform, ...path: string[]) =>
  platform === "darwin"
    ? join(home, "Library", "Application Support", ...path)
    : platform === "win32"
      ? join(home, "AppData", "Roaming", ...path)
      : join(home, ".config", ...path);

/** @see the documentation of each client, on the user's configuration, not a project's */
export const clients = {
  claude: { title: "Claude Code", path: (home) => join(home, ".claude.json"), format: "mcpServers" },
  "claude-desktop": {
    title: "Claude Desktop",
    path: (home, platform) => inConfig(home, platform, "Claude", "claude_desktop_config.json"),
    format: "mcpServers",
  },
  cursor: { title: "Cursor", path: (home) => join(home, ".cursor", "mcp.json"), format: "mcpServers" },
  vscode: {
    title: "VS Code",
    path: (home, platform) => inConfig(home, platform, "Code", "User", "mcp.json"),
    format: "servers",
  },
  codex: { title: "Codex", path: (home) => join(home, ".codex", "config.toml"), format: "toml" },
  gemini: {
    title: "Gemini CLI",
    path: (home) => join(home, ".gemini", "settings.json"),
    format: "mcpServers",
  },
} satisfies Record<string, McpClient>;

export type ClientName = keyof typeof clients;
export const clientNames = Object.keys(clients) as ClientName[];
