import { LINK_MINUTES } from "@grove/schemas";
import { clientNames } from "../clients/clients";
import { commandFor, shell } from "../commandLine";
import type { Env } from "../env";
import type { Running } from "../local/overview";
import { pluralize } from "../print";
import { programPath } from "../run/paths";

/** The command by which an MCP client starts Grove's server. Most clients keep it under `mcpServers`. No secret. */
export interface McpServer {
  command: string;
  args: string[];
}

/** The MCP server for a data directory. It reads the address and the key there, so a client's file needs neither. */
export const mcpServer = (dataDir: string): McpServer => ({
  // The client may have another Node in its PATH, or none.
  command: process.execPath,
  args: [programPath("mcp-cloud"), "--local", dataDir],
});

/**
 * A running Grove, for people: where it is, and what to do next.
 * @param link an address that signs a browser in, for a terminal only
 */
export function summary(
  { file, dir, device, counts, agents }: Running,
  env: Pick<Env, "path">,
  link?: string,
): string {
  const command = (...words: string[]) => shell(commandFor(dir.root, env, words));
  const { projects, workspaces } = counts;
  const facts = [
    `${device?.name ?? "This machine"} is ${device?.status ?? "not registered"}`,
    `${pluralize(projects, "project")}, ${pluralize(workspaces, "workspace")}`,
    agents.length === 0
      ? "no coding agent found"
      : `agents: ${agents.map(({ name, version }) => (version ? `${name} ${version}` : name)).join(", ")}`,
  ];
  return `
Grove is running at ${file.apiUrl} (this machine only).

  Console             ${link ?? command("link")}
                      ${link ? `once, within ${LINK_MINUTES} minutes; another: ${command("link")}` : "prints a link that signs a browser in"}
  Add a repository    ${command("project", "add", "<path>")}
  Connect an agent    ${command("connect", "<client>")}
                      ${clientNames.join(", ")}
  Other MCP clients   ${command("connect", "--print")}
  See this again      ${command("status")}

${facts.join(" · ")}
Data: ${dir.root}
`;
}

/** Returns the status for programs: JSON on one line, without secrets. */
export function summaryJson({ file, dir, device, counts, agents }: Running, env: Pick<Env, "path">): string {
  return JSON.stringify({
    apiUrl: file.apiUrl,
    organizationId: file.organizationId,
    device: { id: file.deviceId, name: device?.name ?? null, status: device?.status ?? null },
    dataDir: dir.root,
    groveHome: file.groveHome,
    localFile: dir.local.path,
    mcpServers: { grove: mcpServer(dir.root) },
    addProject: commandFor(dir.root, env, ["project", "add"]),
    ...counts,
    agents,
  });
}
