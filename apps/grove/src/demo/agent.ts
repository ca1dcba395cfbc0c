import type { WorkspaceRequest } from "@grove/schemas";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { version } from "../../package.json";
import { mcpServer } from "../announce";
import { UserError } from "../errors";
import type { Local } from "../local/local";

const withId = z.looseObject({ id: z.string() });
/** At least one: its id is needed for the next step. */
const devices = z.object({ devices: z.tuple([withId], withId) });
const projects = z.object({ projects: z.tuple([withId], withId) });
const workspaces = z.object({ workspaces: z.array(z.looseObject({ path: z.string() })) });

/** An MCP client that uses Grove as a coding agent would: over stdio, with the configuration that `start` prints. */
export async function connectAgent(local: Local, signal: AbortSignal) {
  const client = new Client({ name: "grove-demo", version });
  const { args, env } = mcpServer(local.file, local.file.apiKey);
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: "ignore" }), {
    signal,
  });
  const call = async <T>(name: string, given: Record<string, unknown>, answer: z.ZodType<T>) => {
    const result = (await client.callTool({ name, arguments: given }, undefined, {
      signal,
    })) as CallToolResult;
    const [entry] = result.content;
    if (result.isError)
      throw new UserError(`${name} answered: ${entry?.type === "text" ? entry.text : "an error"}`);
    return {
      value: answer.parse(result.structuredContent),
      shown: JSON.stringify(result.structuredContent, null, 2),
    };
  };
  const server = client.getServerVersion();
  return {
    server: `${server?.name} ${server?.version}`,
    listDevices: () => call("list_devices", {}, devices),
    listProjects: () => call("list_projects", {}, projects),
    createWorkspaces: (deviceId: string, projectId: string, wanted: WorkspaceRequest[]) =>
      call("create_workspace", { deviceId, projectId, workspaces: wanted }, workspaces),
    close: () => client.close(),
  };
}
