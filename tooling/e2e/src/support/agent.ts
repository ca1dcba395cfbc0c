import type { WorkspaceRequest } from "@grove/schemas";
import { startMcpServer } from "@grove/testing/mcpClient";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import * as z from "zod";
import type { Grove } from "./grove";

const listed = z.looseObject({ id: z.string(), name: z.string() });
const workspace = listed.extend({ branch: z.string(), path: z.string() });
const made = z.looseObject({
  id: z.string().optional(),
  name: z.string(),
  branch: z.string().optional(),
  path: z.string().optional(),
  error: z.object({ reason: z.string(), message: z.string() }).optional(),
});

/** An MCP client with the configuration that `grove start` printed. */
export interface Agent {
  listDevices(): Promise<z.infer<typeof listed>[]>;
  listProjects(): Promise<z.infer<typeof listed>[]>;
  listWorkspaces(): Promise<z.infer<typeof workspace>[]>;
  createWorkspaces(projectId: string, workspaces: WorkspaceRequest[]): Promise<z.infer<typeof made>[]>;
  /** Calls a tool that must fail, and returns the text of the error. */
  refusal(tool: string, args: Record<string, unknown>): Promise<string>;
  close(): Promise<void>;
}

/** Connects an {@link Agent}. */
export async function connectAgent({ announced, local }: Pick<Grove, "announced" | "local">): Promise<Agent> {
  const client = await startMcpServer(announced.mcpServers.grove);
  const call = async (name: string, given: Record<string, unknown>) =>
    (await client.callTool({ name, arguments: given })) as CallToolResult;
  const ask = async <T>(name: string, given: Record<string, unknown>, answer: z.ZodType<T>): Promise<T> => {
    const result = await call(name, given);
    if (result.isError) throw new Error(`${name}: ${textOf(result)}`);
    return answer.parse(result.structuredContent);
  };
  return {
    listDevices: async () =>
      (await ask("list_devices", {}, z.looseObject({ devices: z.array(listed) }))).devices,
    listProjects: async () =>
      (await ask("list_projects", {}, z.looseObject({ projects: z.array(listed) }))).projects,
    listWorkspaces: async () =>
      (await ask("list_workspaces", {}, z.looseObject({ workspaces: z.array(workspace) }))).workspaces,
    createWorkspaces: async (projectId, workspaces) => {
      const given = { deviceId: local.deviceId, projectId, workspaces };
      return (await ask("create_workspace", given, z.looseObject({ workspaces: z.array(made) }))).workspaces;
    },
    refusal: async (tool, given) => {
      const result = await call(tool, given);
      if (!result.isError) throw new Error(`${tool} did not fail: ${textOf(result)}`);
      return textOf(result);
    },
    close: () => client.close(),
  };
}

const textOf = ({ content: [entry] }: CallToolResult): string => (entry?.type === "text" ? entry.text : "");
