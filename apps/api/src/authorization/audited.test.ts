import { newId } from "@grove/db";
import { HostedRepository, oauthClient, useProviders } from "@grove/integrations/testing";
import { describe, expect, it } from "vitest";
import { procedures } from "../router";
import { addMember, projectFields } from "../testing/fixtures";
import { identities } from "../testing/identities";
import { password, useTestServer } from "../testing/server";
import { createWorld } from "../testing/world";
import { actionOf, audited, notAudited } from "./audited";
import { call } from "./call";
import { matrix } from "./matrix";

const providers = await useProviders();
const server = await useTestServer({
  publicUrl: "https://grove.example.com",
  integrations: { ...providers.options, oauthClients: { github: oauthClient } },
});
const world = await createWorld(server);

interface Arranged {
  token: string | undefined;
  input: unknown;
}

/** A new member beside the others. */
async function newcomer() {
  const person = await server.signUp("Newcomer");
  await addMember(server, world.organizationId, person, "member");
  return person;
}

/** A pull request of the organization's, at a code host; without one if it is to be opened. */
async function hostedChange(isOpen: boolean, { isChecked = true, draft = false } = {}) {
  const { organizationId, owner } = world;
  const { credentials } = providers.access.github;
  const token = credentials.type === "token" ? credentials.token : "";
  await owner.client.integration.connect.mutate({ organizationId, provider: "github", token });
  const hosted = new HostedRepository("acme", `audited-${newId()}`);
  hosted.branches.set("work", head);
  if (!isChecked) hosted.checks.set(head, [{ name: "test", word: "queued", required: true }]);
  providers.servers.github.state.hosted.push(hosted);
  if (isOpen) hosted.open({ title: "Work", body: "", draft, head: "work", base: "main" });
  const { id: projectId } = await owner.client.project.create.mutate({
    organizationId,
    ...projectFields(),
    repoOwner: "acme",
    repoName: hosted.name,
    repoUrl: `https://github.com/acme/${hosted.name}.git`,
  });
  const id = newId();
  await server.database.db
    .insertInto("changes")
    .values({ id, organization_id: organizationId, project_id: projectId, branch: "work" })
    .execute();
  return { organizationId, changeId: id };
}

const head = "a".repeat(40);

async function approvedChange(isChecked = true) {
  const input = { ...(await hostedChange(true, { isChecked })), head };
  await world.owner.client.workspace.change.approve.mutate(input);
  return input;
}

/** Used where the matrix has no call that succeeds, or only one by a caller without a membership. */
const arrangements: Record<string, () => Promise<Arranged>> = {
  "admin.deleteUser": async () => ({
    token: world.tokens.siteAdmin,
    input: { id: (await newcomer()).user.id },
  }),
  "admin.setUserDisabled": async () => ({
    token: world.tokens.siteAdmin,
    input: { id: (await newcomer()).user.id, disabled: true },
  }),
  "agent.sessionSecrets": async () => {
    const { commandId } = await world.startingSession();
    const { organizationId, project } = world;
    await world.owner.client.project.setSecret.mutate({
      organizationId,
      projectId: project.id,
      key: "TOKEN",
      value: "hunter2",
    });
    return { token: world.tokens.device, input: { commandId } };
  },
  "organization.acceptInvitation": async () => {
    const { token, user } = await server.signUp("Invited");
    return { token, input: { token: (await world.invitation(user.email)).token } };
  },
  "workspace.change.approve": async () => ({
    token: world.tokens.owner,
    input: { ...(await hostedChange(true)), head },
  }),
  "workspace.change.markReady": async () => ({
    token: world.tokens.owner,
    input: await hostedChange(true, { draft: true }),
  }),
  "workspace.change.merge": async () => ({
    token: world.tokens.owner,
    input: { ...(await approvedChange()), method: "merge" },
  }),
  "workspace.change.cancelMerge": async () => {
    const { head, ...input } = await approvedChange(false);
    const merge = { ...input, head, method: "merge", when: "green" } as const;
    await world.owner.client.workspace.change.merge.mutate(merge);
    return { token: world.tokens.owner, input };
  },
  "workspace.change.openPull": async () => ({
    token: world.tokens.owner,
    input: { ...(await hostedChange(false)), title: "Work" },
  }),
  "workspace.change.unapprove": async () => ({
    token: world.tokens.owner,
    input: await approvedChange(),
  }),
  "user.delete": async () => ({ token: (await newcomer()).token, input: { password } }),
};

/** The matrix's call, by the first caller in its row who may make it. */
async function ofMatrix(path: string): Promise<Arranged> {
  const entry = matrix[path];
  const identity = identities[entry?.outcomes.split(/\s+/).indexOf("ok") ?? -1];
  if (!entry || !identity) throw new Error(`the matrix has no call of ${path} that succeeds`);
  return { token: world.tokens[identity], input: await entry.input(world) };
}

async function countEvents(action: string): Promise<number> {
  const { count } = await server.database.db
    .selectFrom("audit_events")
    .select((eb) => eb.fn.countAll<string>().as("count"))
    .where("action", "=", action)
    .executeTakeFirstOrThrow();
  return Number(count);
}

describe("audit events", () => {
  it("are written, or not for a reason, by every mutation", () => {
    const mutations = Object.keys(procedures).filter((path) => procedures[path]?._def.type === "mutation");
    expect([...audited, ...Object.keys(notAudited)].sort()).toEqual(mutations.sort());
  });

  it.each(audited)("%s writes them", async (path) => {
    const { token, input } = await (arrangements[path]?.() ?? ofMatrix(path));
    const action = actionOf[path] ?? path;
    const before = await countEvents(action);
    expect(await call(server.url, path, token, input)).toBe("ok");
    // If the user is in several organizations, each of them has such an event.
    expect(await countEvents(action)).toBeGreaterThan(before);
  });
});
