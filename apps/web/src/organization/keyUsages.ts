interface Access {
  apiUrl: string;
  key: string;
}

interface KeyUsage {
  title: string;
  /** Instructions for the text. */
  where: string;
  text: (access: Access) => string;
}

const server = ({ apiUrl, key }: Access) => ({
  command: "grove-mcp-cloud",
  args: [],
  env: { API_URL: apiUrl, API_KEY: key },
});

const json = (value: unknown) => JSON.stringify(value, null, 2);
const mcpServers = (access: Access) => json({ mcpServers: { grove: server(access) } });

/** Ways to use a key. A test compares them with the MCP server's README. */
export const keyUsages = {
  claude: {
    title: "Claude Code",
    where: "Run this in a terminal:",
    text: ({ apiUrl, key }) =>
      `claude mcp add --env API_URL=${apiUrl} --env API_KEY=${key} --transport stdio grove -- grove-mcp-cloud`,
  },
  claudeDesktop: {
    title: "Claude Desktop",
    where: "Add this to claude_desktop_config.json (Settings, Developer, Edit Config):",
    text: mcpServers,
  },
  cursor: { title: "Cursor", where: "Add this to ~/.cursor/mcp.json:", text: mcpServers },
  vscode: {
    title: "VS Code",
    where: "Add this to .vscode/mcp.json. VS Code asks for the key once, and keeps it out of the file:",
    text: ({ apiUrl }) =>
      json({
        inputs: [{ type: "promptString", id: "grove-key", description: "Grove API key", password: true }],
        servers: {
          grove: {
            type: "stdio",
            command: "grove-mcp-cloud",
            // biome-ignore lint/suspicious/noTemplateCurlyInString: VS Code substitutes the key.
            env: { API_URL: apiUrl, API_KEY: "${input:grove-key}" },
          },
        },
      }),
  },
  codex: {
    title: "Codex",
    where: "Add this to ~/.codex/config.toml:",
    text: ({ apiUrl, key }) =>
      `[mcp_servers.grove]\ncommand = "grove-mcp-cloud"\nenv = { "API_URL" = "${apiUrl}", "API_KEY" = "${key}" }`,
  },
  gemini: { title: "Gemini CLI", where: "Add this to ~/.gemini/settings.json:", text: mcpServers },
  curl: {
    title: "curl",
    where: "Run this in a terminal. It returns this organization:",
    text: ({ apiUrl, key }) => `curl -H "Authorization: Bearer ${key}" ${apiUrl}/api/trpc/organization.list`,
  },
} satisfies Record<string, KeyUsage>;

export type KeyUsageName = keyof typeof keyUsages;
export const isKeyUsage = (name: string): name is KeyUsageName => Object.hasOwn(keyUsages, name);
