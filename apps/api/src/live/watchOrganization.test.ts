import { newId } from "@grove/db";
import type { OrganizationEvent } from "@grove/schemas";
import { expect, it } from "vitest";
import { start } from "../server";
import { loseInstance } from "../testing/device";
import { addMember, projectFields } from "../testing/fixtures";
import { useOwnDevices } from "../testing/ownDevices";
import { failure, type StockClient, stockClient, useTestServer } from "../testing/server";
import { watch } from "../testing/watch";

const server = await useTestServer();
const { db } = server.database;
const ada = await server.signUp("Ada");
const { organizationId } = ada;
const { online, register } = useOwnDevices(server, ada);

const follow = (client: StockClient, of = organizationId, lastEventId?: string) =>
  watch<OrganizationEvent>((handlers) =>
    client.organization.watch.subscribe({ organizationId: of, lastEventId }, handlers),
  );

type Of<Type> = Extract<OrganizationEvent, { type: Type }>;
const is =
  <Type extends OrganizationEvent["type"]>(type: Type, fits: (event: Of<Type>) => boolean) =>
  (event: OrganizationEvent) =>
    event.type === type && fits(event as Of<Type>);

it("streams changes of devices, also those that no call made", async () => {
  const [left, silent] = [await online(), await online()];
  const watcher = follow(ada.client);
  expect((await watcher.ready()).data).toEqual({
    type: "ready",
    missed: false,
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
  });
  left.device.disconnect();
  await loseInstance(db, silent.id);
  const offline = (id: string, reason: string) =>
    watcher.event(is("device", ({ device }) => device.id === id && device.offlineReason === reason));
  await Promise.all([offline(left.id, "disconnected"), offline(silent.id, "unresponsive")]);

  const { id } = await register();
  await watcher.event(is("device", ({ device }) => device.id === id));
  await ada.client.device.update.mutate({ organizationId, id, name: "renamed" });
  await watcher.event(is("device", ({ device }) => device.id === id && device.name === "renamed"));
  await ada.client.device.revoke.mutate({ organizationId, id });
  await watcher.event(is("device", ({ device }) => device.id === id && device.offlineReason === "revoked"));
  const { id: added } = await online();
  await watcher.event(is("device", ({ device }) => device.id === added && device.status === "online"));
  watcher.stop();
});

it("streams changes of workspaces and sessions, and what a session waits for only to users who may read it", async () => {
  const bob = await server.signUp("Bob");
  await addMember(server, organizationId, bob, "member");
  const { device } = await online();
  const [own, others] = [follow(ada.client), follow(bob.client)];
  await Promise.all([own.ready(), others.ready()]);

  const workspace = { id: newId(), name: "tree", type: "worktree" as const, config: {} };
  await device.client.workspace.ensure.mutate({ organizationId, project: projectFields(), workspace });
  await others.event(is("workspace", ({ workspace: { id } }) => id === workspace.id));
  const session = { id: newId(), journalId: device.journalId, workspaceId: workspace.id, agent: "claude" };
  const { reportSession } = device.client.agent;
  await reportSession.mutate({ type: "start", ...session });
  await others.event(
    is("session", ({ session: { id, status } }) => id === session.id && status === "running"),
  );
  await reportSession.mutate({
    type: "waiting",
    id: session.id,
    waitingForInput: true,
    questionText: "Allow it?",
  });
  const waits = is("session", ({ session: { id, waitingForInput } }) => id === session.id && waitingForInput);
  expect((await own.event(waits)).data).toMatchObject({ session: { questionText: "Allow it?" } });
  expect((await others.event(waits)).data).toMatchObject({ session: { questionText: null } });
  await reportSession.mutate({ type: "end", id: session.id, status: "exited", exitCode: 0 });
  await own.event(is("session", ({ session: { id, status } }) => id === session.id && status === "exited"));

  await ada.client.workspace.update.mutate({ organizationId, id: workspace.id, name: "renamed" });
  await own.event(is("workspace", ({ workspace: { name } }) => name === "renamed"));
  await ada.client.workspace.delete.mutate({ organizationId, id: workspace.id });
  await own.event(is("workspace_gone", ({ id }) => id === workspace.id));
  await own.event(is("projects_changed", () => true));
  own.stop();
  others.stop();
});

it("streams nothing of another organization", async () => {
  const eve = await server.signUp("Eve");
  const watchers = [follow(ada.client), follow(eve.client, eve.organizationId)] as const;
  for (const watcher of watchers) await watcher.ready();
  const { id } = await register();
  await ada.client.task.create.mutate({ organizationId, title: "secret" });
  await watchers[0].event(is("device", ({ device }) => device.id === id));
  await watchers[0].event(
    is("task", ({ event }) => event.type === "created" && event.task.title === "secret"),
  );
  // Her own event comes after any that could have leaked.
  const her = await eve.client.device.register.mutate({
    organizationId: eve.organizationId,
    name: "hers",
    platform: "linux",
  });
  await watchers[1].event(is("device", ({ device }) => device.id === her.id));
  const types = watchers[1].events.map(({ data }) => data.type);
  expect(types.filter((type) => type !== "organization_changed")).toEqual(["ready", "device"]);
  for (const watcher of watchers) watcher.stop();
  expect(await failure(follow(eve.client).ready())).toMatchObject({ reason: "not_a_member" });
});

it("reports changes of members, and ends when the user is removed", async () => {
  const bob = await server.signUp("Bob");
  await addMember(server, organizationId, bob, "member");
  const watcher = follow(bob.client);
  await watcher.ready();
  const invited = { organizationId, email: `${newId()}@example.com`, role: "member" } as const;
  await ada.client.organization.invite.mutate(invited);
  await watcher.event(is("organization_changed", () => true));
  await ada.client.organization.removeMember.mutate({ organizationId, userId: bob.user.id });
  expect(await failure(watcher.event(() => false))).toMatchObject({ code: "UNAUTHORIZED" });
});

it("resumes after a restart with each task event once, and with all other changes since", async () => {
  const { services, database } = server;
  const options = { ...services, database, host: "127.0.0.1" };
  const second = await start({ ...options, port: 0 });
  const watcher = follow(stockClient(second.url, ada.token));
  await watcher.ready();
  const create = (title: string) => ada.client.task.create.mutate({ organizationId, title });
  const isTask = (title: string) =>
    is("task", ({ event }) => event.type === "created" && event.task.title === title);
  await create("one");
  await watcher.event(isTask("one"));
  await second.close();
  await create("two");
  const third = await start({ ...options, port: Number(new URL(second.url).port) });
  await watcher.event(isTask("two"));
  await expect.poll(() => watcher.events.filter(({ data }) => data.type === "ready").length).toBe(2);
  const name = "after the restart";
  await stockClient(third.url, ada.token).device.register.mutate({ organizationId, name, platform: "linux" });
  await watcher.event(is("device", ({ device }) => device.name === name));
  await create("three");
  await watcher.event(isTask("three"));
  const titles = watcher.events.flatMap(({ data }) =>
    data.type === "task" && data.event.type === "created" ? [data.event.task.title] : [],
  );
  expect(titles).toEqual(["one", "two", "three"]);
  watcher.stop();
  await third.close();
});

it("reads nothing without watchers", async () => {
  const { organizationId: quiet, client } = await server.signUp("Cleo");
  const readings = () =>
    server.statements.filter(
      ({ sql: text, parameters }) => text.includes("workspace_tombstones") && parameters.includes(quiet),
    ).length;
  await client.task.create.mutate({ organizationId: quiet, title: "unwatched" });
  expect(readings()).toBe(0);
  const watcher = follow(client, quiet);
  await watcher.ready();
  expect(readings()).toBeGreaterThan(0);
  watcher.stop();
});
