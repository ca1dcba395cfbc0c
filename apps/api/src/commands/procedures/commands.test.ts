import { newId } from "@grove/db";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { deleteOutdated } from "../../maintenance/retention";
import { connectDevice, untilStatus } from "../../testing/device";
import { addMember } from "../../testing/fixtures";
import { failure, stockClient, useTestServer } from "../../testing/server";
import { watch } from "../../testing/watch";

const server = await useTestServer();
const ada = await server.signUp("Ada");
const bob = await server.signUp("Bob");
const { organizationId } = ada;
await addMember(server, organizationId, bob, "member");

type Event = { type: "progress"; progress: { message: string } } | { type: "settled" };

const queue = async (person: typeof ada, deviceId: string) =>
  person.client.agent.execute.mutate({
    organizationId,
    deviceId,
    tool: "list_projects",
    params: {},
    waitMs: 0,
    ifOffline: "queue",
  });

it("agent.listCommands shows the caller's own, those of their devices, and all to an admin; newest first", async () => {
  const register = (person: typeof ada) =>
    person.client.device.register.mutate({ organizationId, name: "a", platform: "linux" });
  const [adas, bobs] = [await register(ada), await register(bob)];
  await bob.client.device.update.mutate({ organizationId, id: bobs.id, shared: true });
  const onAdas = await queue(ada, adas.id);
  const onBobs = await queue(ada, bobs.id);
  const ownOnBobs = await queue(bob, bobs.id);
  const ids = async (person: typeof ada, more: object = {}) =>
    (await person.client.agent.listCommands.query({ organizationId, ...more })).map(({ id }) => id);
  expect(await ids(ada)).toEqual([ownOnBobs.id, onBobs.id, onAdas.id]);
  expect(await ids(bob)).toEqual([ownOnBobs.id, onBobs.id]);
  expect(await ids(ada, { deviceId: adas.id })).toEqual([onAdas.id]);
  expect(await ids(ada, { limit: 2 })).toEqual([ownOnBobs.id, onBobs.id]);
  expect(await ids(ada, { after: onBobs.id })).toEqual([onAdas.id]);
  await ada.client.agent.cancelCommand.mutate({ organizationId, id: onAdas.id });
  expect(await ids(ada, { status: "canceled" })).toEqual([onAdas.id]);
  expect(await ids(ada, { requestedBy: ada.user.id })).toEqual([onBobs.id, onAdas.id]);
  expect(await ids(bob, { requestedBy: ada.user.id })).toEqual([onBobs.id]);
  expect(await ids(bob, { tools: ["list_projects", "list_workspaces"] })).toEqual([ownOnBobs.id, onBobs.id]);
  expect(await ids(bob, { tools: ["list_workspaces"] })).toEqual([]);
  expect(await ids(bob, { exceptTools: ["list_projects"] })).toEqual([]);
  expect(await ids(bob, { exceptTools: ["send_agent_input"] })).toEqual([ownOnBobs.id, onBobs.id]);
});

it("agent.watchCommand sends progress as it arrives, then the settled command, even after a disconnect", async () => {
  const { id: deviceId, apiKey } = await ada.client.device.register.mutate({
    organizationId,
    name: "a",
    platform: "linux",
  });
  const device = connectDevice(server.url, apiKey);
  await untilStatus(ada.client, organizationId, deviceId, "online");
  const { id } = await queue(ada, deviceId);
  await device.event("command");
  const { agent } = device.client;
  const progress = (message: string) =>
    agent.progress.mutate({ id, journalId: device.journalId, message, fraction: 0.5 });
  const open = (lastEventId?: string) =>
    watch<Event>((handlers) =>
      ada.client.agent.watchCommand.subscribe({ organizationId, id, lastEventId }, handlers),
    );

  const first = open();
  await progress("cloning");
  const seen = await first.event(
    (event) => event.type === "progress" && event.progress.message === "cloning",
  );
  first.stop();
  await progress("checking out");
  const second = open(seen.id);
  await second.event((event) => event.type === "progress" && event.progress.message === "checking out");
  await agent.complete.mutate({ id, journalId: device.journalId, result: { projects: [] } });
  const settled = await second.event((event) => event.type === "settled");
  expect(settled.data).toMatchObject({ command: { id, status: "succeeded", result: { projects: [] } } });
  expect(second.events.map(({ data }) => data.type)).toEqual(["progress", "settled"]);
  device.disconnect();
  const odd = open("no\nid of ours");
  expect((await odd.event((event) => event.type === "settled")).data).toEqual(settled.data);

  const hidden = watch<Event>((handlers) =>
    bob.client.agent.watchCommand.subscribe({ organizationId, id }, handlers),
  );
  expect(await failure(hidden.event(() => true))).toMatchObject({ code: "NOT_FOUND" });
  const none = watch<Event>((handlers) =>
    ada.client.agent.watchCommand.subscribe({ organizationId, id: newId() }, handlers),
  );
  expect(await failure(none.event(() => true))).toMatchObject({ code: "NOT_FOUND" });
});

it("runs tools that change nothing for a key that may only read, and no others", async () => {
  const { id: deviceId } = await ada.client.device.register.mutate({
    organizationId,
    name: "a",
    platform: "linux",
  });
  const scopes: ["read"] = ["read"];
  const { key } = await ada.client.apiKey.create.mutate({ organizationId, name: "reads", scopes });
  const { agent } = stockClient(server.url, key);
  const execute = (tool: string, params: object) =>
    agent.execute.mutate({
      organizationId,
      deviceId,
      tool,
      params: { ...params },
      waitMs: 0,
      ifOffline: "queue",
    });
  expect(await execute("list_workspaces", {})).toMatchObject({ status: "queued" });
  expect(await execute("get_workspace_details", { workspaceId: newId() })).toMatchObject({
    status: "queued",
  });
  const refused = { code: "FORBIDDEN", reason: "scope_required" };
  expect(await failure(execute("delete_workspace", { workspaceIds: [newId()] }))).toMatchObject(refused);
  // A tool that this server does not know may change anything.
  expect(await failure(execute("tool_of_tomorrow", {}))).toMatchObject(refused);
});

it("does not list reads of screens among the commands, and keeps them for five minutes", async () => {
  const { id: deviceId } = await ada.client.device.register.mutate({
    organizationId,
    name: "a",
    platform: "linux",
  });
  const command = await queue(ada, deviceId);
  const { db } = server.database;
  const screens = [newId(), newId()];
  for (const [index, id] of screens.entries())
    await sql`
      insert into device_commands (id, organization_id, device_id, tool, params, status, requested_by, principal,
        timeout_ms, queue_expires_at, finished_at)
      select ${id}, organization_id, device_id, 'get_agent_screen', params, 'succeeded', requested_by, principal,
        timeout_ms, queue_expires_at, now() - ${index * 6} * interval '1 minute'
      from device_commands where id = ${command.id}`.execute(db);
  const listed = await ada.client.agent.listCommands.query({ organizationId, deviceId });
  expect(listed.map(({ id }) => id)).toEqual([command.id]);
  await deleteOutdated(db);
  const left = await db
    .selectFrom("device_commands")
    .select("id")
    .where("device_id", "=", deviceId)
    .execute();
  expect(new Set(left.map(({ id }) => id))).toEqual(new Set([command.id, screens[0]]));
});
