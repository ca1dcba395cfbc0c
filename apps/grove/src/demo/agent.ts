import { setTimeout as sleep } from "node:timers/promises";
import type { WorkspaceRequest } from "@grove/schemas";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import * as z from "zod";
import { version } from "../../package.json";
import { mcpServer } from "../commands/statusSummary";
import { UserError } from "../errors";
import type { Local } from "../local/local";

const named = z.looseObject({ id: z.string(), name: z.string() });
/** At least one device, whose id the next step needs. */
const devices = z.object({ devices: z.tuple([named], named) });
const projects = z.object({ projects: z.tuple([named], named) });
const workspaces = z.object({
  workspaces: z.array(z.looseObject({ id: z.string(), name: z.string(), path: z.string() })),
});
type Workspace = z.infer<typeof workspaces>["workspaces"][number];
const session = z.looseObject({ sessionId: z.string() });
const sessionState = z.looseObject({ status: z.string(), output: z.string() });
const POLL_MS = 100;

/** An MCP client that uses Grove as a coding agent would: over stdio, with the configuration that `start` prints. */
export async function connectAgent(local: Local, signal: AbortSignal) {
  const client = new Client({ name: "grove-demo", version });
  await client.connect(new StdioClientTransport({ ...mcpServer(local.dir.root), stderr: "ignore" }), {
    signal,
  });
  const call = async <T>(name: string, given: Record<string, unknown>, answer: z.ZodType<T>) => {
    // The client keeps listening to the signal of a call that is over.
    const options = { signal: AbortSignal.any([signal]) };
    const result = (await client.callTool({ name, arguments: given }, undefined, options)) as CallToolResult;
    const [entry] = result.content;
    if (result.isError)
      throw new UserError(`${name} answered: ${entry?.type === "text" ? entry.text : "an error"}`);
    return answer.parse(result.structuredContent);
  };
  const startSession = (deviceId: string, agent: string, { id, name }: Workspace) =>
    call("start_agent_session", { deviceId, workspaceId: id, agent, prompt: `Make ${name}` }, session);
  const awaitSession = async ({ sessionId }: z.infer<typeof session>) => {
    for (;;) {
      const state = await call("get_agent_session", { sessionId }, sessionState);
      if (!["running", "waiting_for_input"].includes(state.status)) return state;
      await sleep(POLL_MS, undefined, { signal });
    }
  };
  const server = client.getServerVersion();
  return {
    server: `${server?.name} ${server?.version}`,
    listDevices: () => call("list_devices", {}, devices),
    listProjects: () => call("list_projects", {}, projects),
    createWorkspaces: (deviceId: string, projectId: string, wanted: WorkspaceRequest[]) =>
      call("create_workspace", { deviceId, projectId, workspaces: wanted }, workspaces),
    startSessions: async (deviceId: string, agent: string, inThem: Workspace[]) =>
      Promise.all(inThem.map((workspace) => startSession(deviceId, agent, workspace))),
    awaitSessions: async (started: z.infer<typeof session>[]) => Promise.all(started.map(awaitSession)),
    close: () => client.close(),
  };
}
