import { newId } from "@grove/db";
import { HostedRepository, useProviders } from "@grove/integrations/testing";
import { expect, it } from "vitest";
import { projectFields } from "../../testing/fixtures";
import { useForge } from "../../testing/forge/forge";
import { useTestServer } from "../../testing/server";

const providers = await useProviders();
// Without a delivery, an old pull request is not read again during the test.
const pullPolling = { checkingMs: 200, activeMs: 600_000, idleMs: 600_000 };
const server = await useTestServer({
  publicUrl: "https://grove.example.com",
  integrations: providers.options,
  pullPolling,
});
const head = "a".repeat(40);

it.each(["github", "gitlab"] as const)("%s: reads checks when a delivery reports them", async (provider) => {
  const ada = await server.signUp(`Ada of ${provider}`);
  const { client, organizationId } = ada;
  const newRepository = await useForge(server, ada, providers, provider);
  const hosted = new HostedRepository("acme", "orchard");
  hosted.branches.set("work", head);
  providers.servers[provider].state.hosted.push(hosted);
  const repository = await newRepository({ owner: "acme", name: "orchard" });
  repository.id = hosted.id;
  const repoUrl = `https://${provider}.com/acme/orchard.git`;
  const project = { ...projectFields(), repoOwner: "acme", repoName: "orchard", repoUrl };
  await client.project.create.mutate({ organizationId, ...project });
  const workspace = { id: newId(), name: "w", type: "worktree" as const, config: { branchName: "work" } };
  await client.workspace.ensure.mutate({ organizationId, project, workspace });
  const [change] = await client.workspace.change.list.query({ organizationId, workspaceId: workspace.id });
  const of = { organizationId, changeId: change?.id ?? "" };
  const pull = hosted.open({ title: "By gh", body: "", draft: false, head: "work", base: "main" });
  // A regular read of a pull request that is as old leaves its checks out.
  if (typeof pull !== "string") pull.updatedAt = "2020-01-01T00:00:00Z";
  await client.workspace.change.pullStatus.query(of);
  const state = async () =>
    (await client.workspace.change.get.query({ organizationId, id: of.changeId })).workState;

  const unprocessed = () =>
    server.database.db
      .selectFrom("integration_events")
      .select("id")
      .where("organization_id", "=", organizationId)
      .where("status", "!=", "processed")
      .execute();
  expect(await state()).toBe("ready");
  const failed = provider === "github" ? "failure" : "failed";
  hosted.checks.set(head, [{ name: "test", word: failed, required: true }]);
  const { received } = providers.servers[provider];
  const before = received.length;
  await repository.reportCheck("b".repeat(40));
  await expect.poll(unprocessed).toEqual([]);
  expect(received.length).toBe(before);
  // The first read fails, and is repeated.
  let isFailing = true;
  providers.servers[provider].override = ({ path }) => {
    if (!isFailing || path.includes("/hooks")) return undefined;
    isFailing = false;
    return { status: 503, json: {} };
  };
  await repository.reportCheck(head);
  await expect.poll(state).toBe("checks_failed");
  expect(isFailing).toBe(false);
});
