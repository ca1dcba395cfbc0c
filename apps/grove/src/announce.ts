import type { Local } from "./local/local";
import { programPath } from "./run/paths";

/** How an MCP client starts Grove's server: what most clients keep under `mcpServers`. */
export interface McpServer {
  command: string;
  args: string[];
  env: Record<string, string>;
}

/** The MCP server of this local mode. Without the key it starts, and answers that authentication is required. */
export const mcpServer = ({ file }: Pick<Local, "file">, apiKey?: string): McpServer => ({
  command: "node",
  args: [programPath("mcpCloud")],
  env: { API_URL: file.apiUrl, ...(apiKey !== undefined && { API_KEY: apiKey }) },
});

/** What `start` says when local mode runs: for people, with the key only if a person is going to see it. */
export function announcement(local: Local, { toTerminal }: { toTerminal: boolean }): string {
  const { file, device, dir } = local;
  const key = toTerminal ? file.apiKey : `the apiKey in ${dir.local.path}`;
  const configuration = { mcpServers: { grove: mcpServer(local, key) } };
  return `
Grove runs in local mode.

  API     ${file.apiUrl} (this machine only)
  Device  ${device.name}, ${device.status}
  Data    ${dir.root}

MCP client configuration:

${JSON.stringify(configuration, null, 2)}

Next, make a git repository of this machine a project:

  ${shell(addProject(local))} <path>

Ctrl+C stops it.
`;
}

/** The same for programs, on one line. It holds no secret: the key is in `localFile`. */
export function announcementJson(local: Local): string {
  const { file, device, dir } = local;
  return JSON.stringify({
    apiUrl: file.apiUrl,
    organizationId: file.organizationId,
    device: { id: device.id, name: device.name },
    dataDir: dir.root,
    groveHome: file.groveHome,
    localFile: dir.local.path,
    mcpServers: { grove: mcpServer(local) },
    addProject: addProject(local),
  });
}

/** The command that makes a repository a project; its path comes behind. */
const addProject = ({ file }: Pick<Local, "file">): string[] => [
  "env",
  `GROVE_HOME=${file.groveHome}`,
  "node",
  programPath("device"),
  "project",
  "add",
];

/** A command as it is pasted into a POSIX shell. */
export const shell = (words: readonly string[]): string =>
  words
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
    .join(" ");
