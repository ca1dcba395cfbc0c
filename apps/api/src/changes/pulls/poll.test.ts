import { newId } from "@grove/db";
import { HostedRepository, useProviders } from "@grove/integrations/testing";
import { describe, expect, it } from "vitest";
import { projectFields } from "../../testing/fixtures";
import { useTestServer } from "../../testing/server";

const providers = await useProviders();
const pullPolling = { checkingMs: 200, activeMs: 200, idleMs: 200 };
const server = await useTestServer({ integrations: providers.options, pullPolling });
const head = "a".repeat(40);

describe.each(["github", "gitlab"] as const)("%s", (provider) => {
  const host = providers.servers[provider];

  it("notices failed checks and a merge there, although no webhook reports them", async () => {
    const { client, organizationId } = await server.signUp(`Ada of ${provider}`);
    const { credentials } = providers.access[provider];
    if (credentials.type !== "token") return expect.unreachable();
    const { token } = credentials;
    await client.integration.connect.mutate({ organizationId, provider, token });
    const hosted = new HostedRepository("acme", "orchard");
    hosted.branches.set("work", head);
    host.state.hosted.push(hosted);
    const repoUrl = `https://${provider}.com/acme/orchard.git`;
    const project = { ...projectFields(), repoOwner: "acme", repoName: "orchard", repoUrl };
    const { id: projectId } = await client.project.create.mutate({ organizationId, ...project });
    const task = await client.task.create.mutate({ organizationId, title: "A task", projectId });
    await client.task.update.mutate({ organizationId, id: task.id, branch: "work" });
    const workspace = { id: newId(), name: "w", type: "worktree" as const, config: { branchName: "work" } };
    await client.workspace.ensure.mutate({ organizationId, project, workspace });
    const [change] = await client.workspace.change.list.query({ organizationId, workspaceId: workspace.id });
    const of = { organizationId, changeId: change?.id ?? "" };
    const pull = hosted.open({ title: "By gh", body: "", draft: false, head: "work", base: "main" });
    if (typeof pull === "string") return expect.unreachable();
    expect(await client.workspace.change.pullStatus.query(of)).toMatchObject({ state: "open" });
    const read = () => client.workspace.change.get.query({ organizationId, id: of.changeId });
    const failed = provider === "github" ? "failure" : "failed";
    hosted.checks.set(head, [{ name: "test", word: failed, required: true }]);
    await server.database.db.updateTable("pull_requests").set({ poll_at: new Date() }).execute();
    await expect.poll(read).toMatchObject({ workState: "checks_failed" });
    hosted.checks.set(head, [{ name: "test", word: "success", required: true }]);
    await expect.poll(read).toMatchObject({ workState: "ready" });
    // The code host fails for a while.
    let failures = 0;
    host.override = () => {
      failures += 1;
      return { status: 503, json: {} };
    };
    await server.database.db.updateTable("pull_requests").set({ poll_at: new Date() }).execute();
    hosted.merge(pull, head);
    await expect.poll(() => failures, { interval: 50 }).toBeGreaterThan(1);
    host.override = undefined;
    await expect
      .poll(() => client.task.get.query({ organizationId, id: task.id }))
      .toMatchObject({ statusType: "completed" });
    expect(await read()).toMatchObject({
      workState: "merged",
      pullRequest: { state: "merged", doneAt: expect.any(String) },
    });
  });
});
