import { newId } from "@grove/db";
import { HostedRepository, type useProviders } from "@grove/integrations/testing";
import type { FailureRoundContent } from "@grove/schemas";
import { afterEach } from "vitest";
import { begin, connectDevice, type TestDevice, untilStatus } from "../../testing/device";
import { projectFields } from "../../testing/fixtures";
import type { Person, TestServer } from "../../testing/server";
import { stateReporter } from "../../testing/stateReporter";

type Providers = Awaited<ReturnType<typeof useProviders>>;
type Provider = "github" | "gitlab";

export const commit = (digit: string) => digit.repeat(40);

/** Changes with an open pull request at a code host, each with an agent in its workspace. */
export function useAgents(server: TestServer, providers: Providers, owner: Person, provider: Provider) {
  const { organizationId, client } = owner;
  const connected: TestDevice[] = [];
  afterEach(() => {
    for (const device of connected.splice(0)) device.disconnect();
  });

  /** @param react what the agent does with a round, before its turn ends; undefined: it refuses the round */
  async function agent(
    react: ((round: FailureRoundContent) => unknown) | undefined,
    starter: Person = owner,
  ) {
    const hosted = new HostedRepository("acme", `shop-${newId()}`);
    hosted.branches.set("work", commit("a"));
    providers.servers[provider].state.hosted.push(hosted);
    const repoUrl = `https://${provider}.com/acme/${hosted.name}.git`;
    const project = { ...projectFields(), repoOwner: "acme", repoName: hosted.name, repoUrl };
    const { id: projectId } = await client.project.create.mutate({ organizationId, ...project });
    const { id: deviceId, apiKey } = await client.device.register.mutate({
      organizationId,
      name: "a",
      platform: "linux",
    });
    const sessionId = newId();
    const rounds: FailureRoundContent[] = [];
    const device = connectDevice(server.url, apiKey, {
      capabilities: ["send_review_round"],
      run: async ({ id, params }, self) => {
        await begin({ id }, self);
        const { round } = params as { round: FailureRoundContent };
        rounds.push(round);
        const answer = react
          ? { result: { bytes: 1 } }
          : { error: { reason: "agent_working" as const, message: "It works." } };
        await self.client.agent.complete.mutate({ id, journalId: self.journalId, ...answer });
        if (!react) return;
        await report("working");
        await react(round);
        await report("done");
      },
    });
    const report = stateReporter(device, sessionId);
    connected.push(device);
    await untilStatus(client, organizationId, deviceId, "online");
    const workspace = {
      id: newId(),
      name: "login-form",
      type: "worktree" as const,
      config: { branchName: "work" },
    };
    await device.client.workspace.ensure.mutate({ organizationId, project, workspace });
    const [made] = await client.workspace.change.list.query({ organizationId, workspaceId: workspace.id });
    const changeId = made?.id ?? "";
    await server.database.db
      .insertInto("agent_sessions")
      .values({
        organization_id: organizationId,
        id: sessionId,
        device_id: deviceId,
        workspace_id: workspace.id,
        agent: "claude",
        started_by: starter.user.id,
      })
      .execute();
    const pull = hosted.open({ title: "By gh", body: "", draft: false, head: "work", base: "main" });
    if (typeof pull === "string") throw new Error(pull);
    const of = { organizationId, changeId };
    /** Reads the pull request's status as the console does. */
    const read = () => client.workspace.change.pullStatus.query(of);
    const state = async () =>
      (await client.workspace.change.get.query({ organizationId, id: changeId })).workState;
    await read();
    return { hosted, pull, projectId, workspace, deviceId, sessionId, rounds, report, of, read, state };
  }

  return { agent };
}

export const failing = (provider: Provider, log: string) => ({
  name: "test",
  word: provider === "github" ? "failure" : "failed",
  required: true,
  log,
});
