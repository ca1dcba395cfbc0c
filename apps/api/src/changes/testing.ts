import { newId } from "@grove/db";
import type { FailureRoundContent, GateRun } from "@grove/schemas";
import { afterEach } from "vitest";
import { begin, connectDevice, type TestDevice, untilStatus } from "../testing/device";
import { projectFields } from "../testing/fixtures";
import type { Person, TestServer } from "../testing/server";
import { stateReporter } from "../testing/stateReporter";

type Answer = { result: GateRun } | { error: { reason: string; message: string } };

interface Options {
  gateOnFinish?: boolean;
  maxRounds?: number;
  capabilities?: string[];
  isOnline?: boolean;
}

/** Machines of a user, each with a workspace and an agent, of a project that runs the gate on finished work. */
export function useGateMachines(server: TestServer, owner: Person) {
  const { organizationId, client } = owner;
  const { change } = client.workspace;
  const connected: TestDevice[] = [];
  afterEach(() => {
    for (const device of connected.splice(0)) device.disconnect();
  });

  async function machine({
    gateOnFinish = true,
    maxRounds = 2,
    capabilities = ["run_gate", "send_review_round"],
    isOnline = true,
  }: Options = {}) {
    const project = projectFields();
    const { id: projectId } = await client.project.create.mutate({ organizationId, ...project });
    await client.project.update.mutate({ organizationId, id: projectId, gateOnFinish, maxRounds });
    const { id: deviceId, apiKey } = await client.device.register.mutate({
      organizationId,
      name: "a",
      platform: "linux",
    });
    /** The `run_gate` commands. */
    const commands: { id: string; params: unknown }[] = [];
    const rounds: FailureRoundContent[] = [];
    const device = connectDevice(server.url, apiKey, {
      capabilities,
      run: async ({ id, tool, params }, self) => {
        await begin({ id }, self);
        if (tool === "run_gate") return commands.push({ id, params });
        await self.client.agent.complete.mutate({ id, journalId: self.journalId, result: { bytes: 1 } });
        rounds.push((params as { round: FailureRoundContent }).round);
      },
    });
    connected.push(device);
    await untilStatus(client, organizationId, deviceId, "online");
    const workspaceId = newId();
    await device.client.workspace.ensure.mutate({
      organizationId,
      project,
      workspace: { id: workspaceId, name: "login-form", type: "worktree", config: { branchName: "work" } },
    });
    const sessionId = newId();
    await server.database.db
      .insertInto("agent_sessions")
      .values({
        organization_id: organizationId,
        id: sessionId,
        device_id: deviceId,
        workspace_id: workspaceId,
        agent: "claude",
        started_by: owner.user.id,
        started_with: `user:${owner.user.id}`,
      })
      .execute();
    const report = stateReporter(device, sessionId);
    const [made] = await change.list.query({ organizationId, workspaceId });
    const changeId = made?.id ?? "";
    const work = { summary: "Done.", tests: [] };
    /** By the agent's own socket, which has no key. */
    const finish = () => device.client.agent.finishWork.mutate({ sessionId, ...work });
    const finishByApi = () => change.finish.mutate({ organizationId, workspaceId, ...work });
    const read = () => change.get.query({ organizationId, id: changeId });
    /** Ends the last run. */
    const end = (answer: Answer) =>
      device.client.agent.complete.mutate({
        id: commands.at(-1)?.id ?? "",
        journalId: device.journalId,
        ...answer,
      });
    if (!isOnline) {
      device.disconnect();
      await untilStatus(client, organizationId, deviceId, "offline");
    }
    const of = { organizationId, changeId };
    return {
      projectId,
      workspaceId,
      sessionId,
      of,
      commands,
      rounds,
      report,
      finish,
      finishByApi,
      read,
      end,
    };
  }

  return { machine };
}

/** @param files differ from those of other runs */
export const gateRun = (
  outcome: GateRun["outcome"],
  { output = "", files = "a" } = {},
): { result: GateRun } => {
  const commit = outcome === "passed" || outcome === "failed" ? files.repeat(40) : null;
  return { result: { outcome, exitCode: 0, timedOut: false, output, commit, tree: commit, head: commit } };
};
