import type { Device, LocalFile } from "@grove/schemas";
import type { DataDir } from "./local/dataDir";
import { programPath } from "./run/paths";

/** How an MCP client starts Grove's server: what most clients keep under `mcpServers`. */
export interface McpServer {
  command: string;
  args: string[];
  env: Record<string, string>;
}

/** What of local mode is told. */
interface Announced {
  file: LocalFile;
  device: Pick<Device, "id" | "name" | "status">;
  dir: DataDir;
}

/** The MCP server of this local mode. Without the key it starts, and answers that authentication is required. */
export const mcpServer = ({ apiUrl }: LocalFile, apiKey?: string): McpServer => ({
  command: "node",
  args: [programPath("mcpCloud")],
  env: { API_URL: apiUrl, ...(apiKey !== undefined && { API_KEY: apiKey }) },
});

/** What `start` says when local mode runs: for people, with the key only if a person is going to see it. */
export function announcement(local: Announced, { toTerminal }: { toTerminal: boolean }): string {
  const { file, device, dir } = local;
  const key = toTerminal ? file.apiKey : `the apiKey in ${dir.local.path}`;
  const configuration = { mcpServers: { grove: mcpServer(file, key) } };
  return `
Grove runs in local mode.

  API     ${file.apiUrl} (this machine only)
  Device  ${device.name}, ${device.status}
  Data    ${dir.root}

MCP client configuration:

${JSON.stringify(configuration, null, 2)}

Next, make a git repository of this machine a project:

  ${shell(addProject(file))} <path>

Ctrl+C stops it.
`;
}

/** The same for programs, on one line. It holds no secret: the key is in `localFile`. */
export function announcementJson(local: Announced): string {
  const { file, device, dir } = local;
  return JSON.stringify({
    apiUrl: file.apiUrl,
    organizationId: file.organizationId,
    device: { id: device.id, name: device.name },
    dataDir: dir.root,
    groveHome: file.groveHome,
    localFile: dir.local.path,
    mcpServers: { grove: mcpServer(file) },
    addProject: addProject(file),
  });
}

/** The command that makes a repository a project; its path comes behind. */
const addProject = ({ groveHome }: LocalFile): string[] => [
  "env",
  `GROVE_HOME=${groveHome}`,
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
