import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { projectFields } from "../testing/fixtures";
import { failure, type Person, useTestServer } from "../testing/server";
import type { Stored } from "./quotaKinds";
import { Quotas } from "./quotas";

const mib = 1024 * 1024;
const server = await useTestServer({
  quotas: {
    taskBytes: mib,
    workspaceBytes: mib / 8,
    secretBytes: mib / 8,
    chatBytes: mib / 8,
    analyticsBytes: mib / 8,
    ownAnalyticsBytes: mib / 8,
  },
});

/** Makes a call that stores further bytes. */
type Store = (person: Person) => Promise<() => Promise<unknown>>;

const withProject = async ({ client, organizationId }: Person) =>
  client.project.create.mutate({ organizationId, ...projectFields() });

/** Text that does not shrink when it is compressed. */
const long = () => randomBytes(20_000).toString("base64url");

it.each<[string, Store]>([
  [
    "taskBytes",
    async ({ client, organizationId }) =>
      () =>
        client.task.create.mutate({ organizationId, title: "a", description: long() }),
  ],
  [
    "taskBytes",
    async ({ client, organizationId }) => {
      const { id } = await client.task.create.mutate({ organizationId, title: "a" });
      return () => client.task.update.mutate({ organizationId, id, description: long() });
    },
  ],
  [
    "workspaceBytes",
    async (person) => {
      const { client, organizationId } = person;
      const { id: projectId } = await withProject(person);
      const fields = { projectId, name: "a", type: "worktree" as const };
      return () => client.workspace.create.mutate({ organizationId, ...fields, config: { text: long() } });
    },
  ],
  [
    "workspaceBytes",
    async (person) => {
      const { client, organizationId } = person;
      const { id: projectId } = await withProject(person);
      const fields = { projectId, name: "a", type: "worktree" as const, config: {} };
      const { id } = await client.workspace.create.mutate({ organizationId, ...fields });
      return () => client.workspace.update.mutate({ organizationId, id, config: { text: long() } });
    },
  ],
  [
    "secretBytes",
    async (person) => {
      const { client, organizationId } = person;
      const { id: projectId } = await withProject(person);
      let n = 0;
      return () =>
        client.project.setSecret.mutate({ organizationId, projectId, key: `KEY_${n++}`, value: long() });
    },
  ],
  [
    "chatBytes",
    async ({ client, organizationId }) => {
      const { id: sessionId } = await client.chat.createSession.mutate({ organizationId, title: "a" });
      return () => client.chat.sendMessage.mutate({ organizationId, sessionId, text: long() });
    },
  ],
  [
    "analyticsBytes",
    async ({ client, organizationId }) =>
      () =>
        client.analytics.track.mutate({ organizationId, event: "a", properties: { text: long() } }),
  ],
  [
    "ownAnalyticsBytes",
    async ({ client }) =>
      () =>
        client.analytics.trackBatch.mutate({ events: [{ event: "a", properties: { text: long() } }] }),
  ],
])("%s are bounded for each organization or user", async (stored, prepare) => {
  const person = await server.signUp();
  const store = await prepare(person);
  const storeAll = async () => {
    for (let n = 0; n < 50; n++) await store();
  };
  expect(await failure(storeAll())).toMatchObject({
    code: "PRECONDITION_FAILED",
    reason: "quota_exceeded",
    data: { details: { stored } },
  });
  // Another organization is not affected, and another process counts what is stored.
  const other = await server.signUp();
  await (await prepare(other))();
  const quotas = new Quotas({ [stored]: 10_000 });
  const owner = stored.startsWith("own") ? person.user.id : person.organizationId;
  const { db } = server.database;
  expect(await failed(quotas.take(db, stored as Stored, owner, 1))).toMatchObject({
    reason: "quota_exceeded",
  });
  await new Quotas().take(db, stored as Stored, owner, 1);
});
const failed = (taken: Promise<void>) =>
  taken.then(
    () => undefined,
    (error: unknown) => error,
  );
