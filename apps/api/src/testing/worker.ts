import { newId } from "@grove/db";
import { begin, connectDevice, untilStatus } from "./device";
import type { projectFields } from "./fixtures";
import type { Person, TestServer } from "./server";

type ProjectFields = ReturnType<typeof projectFields>;

/** Makes workspaces, and begins to work on tasks there, as agents on a connected device do. */
export async function useWorker(server: Pick<TestServer, "url">, { client, organizationId }: Person) {
  const { id: deviceId, apiKey } = await client.device.register.mutate({
    organizationId,
    name: "worker",
    platform: "linux",
  });
  const device = connectDevice(server.url, apiKey, {
    capabilities: ["start_agent_session"],
    run: (command, self) => begin(command, self),
  });
  await untilStatus(client, organizationId, deviceId, "online");
  return {
    disconnect: () => device.disconnect(),
    client: device.client,
    /** @returns the workspace's id */
    begin: async (project: ProjectFields, branch: string, taskId?: string): Promise<string> => {
      const workspace = {
        id: newId(),
        name: branch,
        type: "worktree" as const,
        config: { branchName: branch },
      };
      await device.client.workspace.ensure.mutate({ organizationId, project, workspace });
      if (taskId === undefined) return workspace.id;
      const params = { workspaceId: workspace.id, prompt: "work", taskId };
      const { id: commandId } = await client.agent.execute.mutate({
        organizationId,
        deviceId,
        tool: "start_agent_session",
        params,
        waitMs: 0,
      });
      const { journalId } = device;
      await device.client.agent.reportSession.mutate({
        type: "start",
        id: newId(),
        journalId,
        workspaceId: workspace.id,
        agent: "claude",
        commandId,
      });
      return workspace.id;
    },
  };
}
