import { newId } from "@grove/db";
import { describe, expect, it } from "vitest";
import { projectFields } from "../testing/fixtures";
import { failure, type Person, useTestServer } from "../testing/server";

const limit = 3;
const server = await useTestServer({
  quotas: {
    tasks: limit,
    projects: limit,
    workspaces: limit,
    devices: limit,
    apiKeys: limit,
    invitations: limit,
    chatSessions: limit,
    chatMessages: limit,
    analyticsEvents: limit,
    ownAnalyticsEvents: limit,
    ownedOrganizations: limit,
  },
});
const refused = (stored: string) => ({
  code: "PRECONDITION_FAILED",
  reason: "quota_exceeded",
  data: { details: { stored, limit } },
});

/** A call that stores one more. */
type Store = (person: Person) => Promise<() => Promise<unknown>>;

const withProject = async ({ client, organizationId }: Person) =>
  client.project.create.mutate({ organizationId, ...projectFields() });

const stores: [string, Store][] = [
  [
    "tasks",
    async ({ client, organizationId }) =>
      () =>
        client.task.create.mutate({ organizationId, title: "a" }),
  ],
  ["projects", async (person) => () => withProject(person)],
  [
    "workspaces",
    async (person) => {
      const { client, organizationId } = person;
      const { id: projectId } = await withProject(person);
      const fields = { name: "a", type: "worktree" as const, config: {} };
      return async () => {
        // Deleted ones count: their ids are kept.
        const { id } = await client.workspace.create.mutate({ organizationId, projectId, ...fields });
        await client.workspace.delete.mutate({ organizationId, id });
      };
    },
  ],
  [
    "devices",
    async ({ client, organizationId }) =>
      () =>
        client.device.register.mutate({ organizationId, name: "a", platform: "linux" }),
  ],
  [
    "apiKeys",
    async ({ client, organizationId }) =>
      () =>
        client.apiKey.create.mutate({ organizationId, name: "a" }),
  ],
  [
    "invitations",
    async ({ client, organizationId }) =>
      () =>
        client.organization.invite.mutate({
          organizationId,
          email: `${newId()}@example.com`,
          role: "member",
        }),
  ],
  [
    "chatSessions",
    async ({ client, organizationId }) =>
      () =>
        client.chat.createSession.mutate({ organizationId, title: "a" }),
  ],
  [
    "chatMessages",
    async ({ client, organizationId }) => {
      const { id: sessionId } = await client.chat.createSession.mutate({ organizationId, title: "a" });
      return () => client.chat.sendMessage.mutate({ organizationId, sessionId, text: "a" });
    },
  ],
  [
    "analyticsEvents",
    async ({ client, organizationId }) =>
      () =>
        client.analytics.track.mutate({ organizationId, event: "a" }),
  ],
  [
    "ownAnalyticsEvents",
    async ({ client }) =>
      () =>
        client.analytics.track.mutate({ event: "a" }),
  ],
];

describe("an organization or a user stores each kind up to its limit", () => {
  it.each(stores)("%s", async (stored, prepare) => {
    const [ada, eve] = [await server.signUp("Ada"), await server.signUp("Eve")];
    const [store, storeEves] = [await prepare(ada), await prepare(eve)];
    let calls = 0;
    const storeUntilRefused = async () => {
      for (; calls <= limit; calls++) await store();
    };
    expect(await failure(storeUntilRefused())).toMatchObject(refused(stored));
    // Rows stored as preparation count too.
    expect(calls).toBeGreaterThanOrEqual(limit - 1);
    expect(calls).toBeLessThanOrEqual(limit);
    await storeEves();
  });

  it("organizations that a user owns", async () => {
    const { client } = await server.signUp();
    const create = () => client.organization.create.mutate({ name: "Another" });
    await create();
    await create();
    expect(await failure(create())).toMatchObject(refused("ownedOrganizations"));
  });
});

it("a batch of events is accepted whole or not at all", async () => {
  const { client, organizationId } = await server.signUp();
  const track = (count: number) =>
    client.analytics.trackBatch.mutate({
      events: Array.from({ length: count }, () => ({ event: "a", organizationId })),
    });
  await track(limit - 1);
  expect(await failure(track(2))).toMatchObject(refused("analyticsEvents"));
  await track(1);
});

it("workspace.ensure returns existing workspaces, and makes no further ones", async () => {
  const { client, organizationId } = await server.signUp();
  const project = projectFields();
  const ensure = (id: string) =>
    client.workspace.ensure.mutate({
      organizationId,
      project,
      workspace: { id, name: "a", type: "worktree", config: {} },
    });
  const first = newId();
  const { projectId } = await ensure(first);
  const ensureMore = async () => {
    for (let n = 0; n <= limit; n++) await ensure(newId());
  };
  expect(await failure(ensureMore())).toMatchObject(refused("workspaces"));
  expect(await ensure(first)).toMatchObject({ projectId, workspaceId: first });
  const rows = await client.workspace.list.query({ organizationId });
  expect(rows.length).toBeLessThanOrEqual(limit);
});

it("a task created with an idempotency key is returned again, even at the limit", async () => {
  const { client, organizationId } = await server.signUp();
  const create = (idempotencyKey: string) =>
    client.task.create.mutate({ organizationId, title: "a", idempotencyKey });
  const last = [await create("a"), await create("b"), await create("c")].at(-1);
  expect(await failure(create("d"))).toMatchObject(refused("tasks"));
  expect(await create("c")).toEqual(last);
});

it("deleting frees quota", async () => {
  const { client, organizationId } = await server.signUp();
  const create = () => client.project.create.mutate({ organizationId, ...projectFields() });
  // One after another: counts made concurrently would not see each other's rows.
  const [first] = [await create(), await create(), await create()];
  expect(await failure(create())).toMatchObject(refused("projects"));
  await client.project.delete.mutate({ organizationId, id: first.id });
  await expect.poll(create, { timeout: 20_000, interval: 500 }).toMatchObject({ organizationId });
});
