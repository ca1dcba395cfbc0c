import { newId } from "@grove/db";
import { sql } from "kysely";
import { afterEach, expect, it, vi } from "vitest";
import { begin, connectDevice, type TestDevice, untilStatus } from "../../testing/device";
import { useSecondInstance } from "../../testing/instance";
import { failure, stockClient, useTestServer } from "../../testing/server";
import { watch } from "../../testing/watch";

// Two instances on one PostgreSQL: the device is connected to one, and the caller uses the other.
const first = await useTestServer();
const second = await useSecondInstance(first);

const ada = await first.signUp("Ada");
const { organizationId } = ada;
const onSecond = stockClient(second.url, ada.token);
const reading = vi.spyOn(second.services.dispatch, "read");
const connected: TestDevice[] = [];
afterEach(() => {
  for (const device of connected.splice(0)) device.disconnect();
});

async function online(options: Parameters<typeof connectDevice>[2]) {
  const { id, apiKey } = await ada.client.device.register.mutate({
    organizationId,
    name: "a",
    platform: "linux",
  });
  const device = connectDevice(first.url, apiKey, options);
  connected.push(device);
  await untilStatus(onSecond, organizationId, id, "online");
  return { id, apiKey, device };
}

const execute = (deviceId: string, waitMs?: number) =>
  onSecond.agent.execute.mutate({ organizationId, deviceId, tool: "list_projects", params: {}, waitMs });

const complete = ({ id }: { id: string }, { client, journalId }: TestDevice) =>
  client.agent.complete.mutate({ id, journalId, result: { projects: [] } });

it("a command crosses from one instance to the other and back", async () => {
  const { id } = await online({ run: complete });
  expect(await execute(id)).toMatchObject({ status: "succeeded", attempt: 1 });
});

it.each([
  ["a short text", "é\n"],
  ["a long text", "é\n".repeat(2_000)],
  ["line and paragraph separators", "a\u2028b\u2029"],
])("crosses with %s, which is read once, and the answer is the row", async (_, text) => {
  const result = { sessionId: newId(), agent: text, pid: 1 };
  const { id } = await online({
    capabilities: ["start_agent_session"],
    run: ({ id, params }, { client, journalId }) =>
      client.agent.complete.mutate({ id, journalId, result: { ...result, params } }),
  });
  const params = { workspaceId: id, prompt: text };
  reading.mockClear();
  const answer = await onSecond.agent.execute.mutate({
    organizationId,
    deviceId: id,
    tool: "start_agent_session",
    params,
  });
  expect(reading).toHaveBeenCalledTimes(1);
  expect(answer).toMatchObject({ status: "succeeded", attempt: 1, result: { ...result, params } });
  expect(answer).toEqual(await ada.client.agent.getCommand.query({ organizationId, id: answer.id }));
});

it("many commands cross together, claimed when they are submitted, and each arrives once", async () => {
  const { id, device } = await online({});
  const commands = await Promise.all(Array.from({ length: 40 }, () => execute(id, 0)));
  expect(new Set(commands.map(({ status, waitEnded }) => `${status} ${waitEnded}`))).toEqual(
    new Set(["claimed not_started"]),
  );
  const received = () => device.events.filter((event) => event.type === "command").map((event) => event.id);
  await Promise.all(commands.map(({ id: sent }) => device.event("command", (event) => event.id === sent)));
  expect(received().sort()).toEqual(commands.map((command) => command.id).sort());
  const results = commands.map(({ id: commandId }) =>
    onSecond.agent.getCommand.query({ organizationId, id: commandId, waitMs: 25_000 }),
  );
  await Promise.all(commands.map((command) => complete(command, device)));
  expect((await Promise.all(results)).map(({ status }) => status)).toEqual(commands.map(() => "succeeded"));
});

it("a command claimed for a stream that ended unseen is sent when the device reconnects", async () => {
  const { id, apiKey, device } = await online({});
  device.disconnect();
  await untilStatus(onSecond, organizationId, id, "offline");
  // As if the process that has the stream had died, and its lease still held.
  await sql`update devices set present_until = now() + interval '1 minute' where id = ${id}`.execute(
    first.database.db,
  );
  const command = await execute(id, 0);
  expect(command.status).toBe("claimed");
  const back = connectDevice(second.url, apiKey, { journalId: device.journalId });
  connected.push(back);
  expect((await back.event("command")).id).toBe(command.id);
});

it("a device that moves to the other instance ends its stream on the first", async () => {
  const { apiKey, device, id } = await online({});
  const moved = connectDevice(second.url, apiKey, { journalId: device.journalId, run: complete });
  connected.push(moved);
  await device.ended;
  await untilStatus(onSecond, organizationId, id, "online");
  expect((await execute(id)).status).toBe("succeeded");
  expect(device.events.filter((event) => event.type === "command")).toEqual([]);
});

it("continues after every connection to the database was cut", async () => {
  const { id, device } = await online({});
  const command = await execute(id, 0);
  await device.event("command");
  const waiting = onSecond.agent.getCommand.query({ organizationId, id: command.id, waitMs: 25_000 });
  // The waiter has made its first read, and waits.
  await expect.poll(() => reading.mock.calls.some(([, read]) => read === command.id)).toBe(true);
  await expect.poll(() => reading.mock.settledResults.every(({ type }) => type !== "incomplete")).toBe(true);
  // Several times, so that a reader that retries as soon as it can meets cut connections, too.
  for (let round = 0; round < 5; round++)
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`
      .execute(first.database.db)
      .catch(() => undefined);
  let reported = false;
  while (!reported)
    reported = await complete(command, device).then(
      ({ status }) => status === "succeeded",
      () => false,
    );
  expect(await waiting).toMatchObject({ status: "succeeded" });
});

it("a credential revoked on one instance ends its streams on the other, and is refused there", async () => {
  const { id, apiKey, device } = await online({ run: begin });
  const command = await execute(id, 0);
  const key = await ada.client.apiKey.create.mutate({ organizationId, name: "short" });
  const client = stockClient(second.url, key.key);
  const waiting = failure(client.agent.getCommand.query({ organizationId, id: command.id, waitMs: 55_000 }));
  const stream = watch((handlers) => client.task.watch.subscribe({ organizationId }, handlers));
  await stream.ready();
  await ada.client.apiKey.revoke.mutate({ organizationId, id: key.id });
  const next = failure(client.user.get.query());
  expect(await failure(stream.event(() => false))).toMatchObject({ code: "UNAUTHORIZED" });
  expect(await waiting).toMatchObject({ code: "UNAUTHORIZED" });
  expect(await next).toMatchObject({ code: "UNAUTHORIZED" });

  // The device is connected to the first instance.
  const settled = onSecond.agent.getCommand.query({ organizationId, id: command.id, waitMs: 55_000 });
  await onSecond.device.revoke.mutate({ organizationId, id });
  await device.event("revoked");
  await device.ended;
  expect(await settled).toMatchObject({ status: "lost", error: { reason: "device_revoked" } });
  for (const url of [first.url, second.url])
    expect(await failure(stockClient(url, apiKey).device.self.query())).toMatchObject({
      code: "UNAUTHORIZED",
    });
});
