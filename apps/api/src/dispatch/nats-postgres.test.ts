import { fileURLToPath } from "node:url";
import { generateVaultKey } from "@grove/auth";
import { startNats } from "@grove/testing/nats";
import { startProgram } from "@grove/testing/process";
import { afterAll, afterEach, expect, it, onTestFinished } from "vitest";
import { connectDevice, type TestDevice, untilStatus } from "../testing/device";
import { startInstance } from "../testing/instance";
import { failure, stockClient, useTestServer } from "../testing/server";
import { watch } from "../testing/watch";

// Three instances on one PostgreSQL and one NATS: the device is connected to the first, the caller asks the second.
const nats = await startNats();
const server = await useTestServer({}, nats.url);
const instances = await Promise.all([1, 2, 3].map(() => startInstance(server, { natsUrl: nats.url })));
afterAll(async () => {
  await Promise.all(instances.map((instance) => instance.end()));
  await nats.stop();
});
const [first, second] = instances;
if (!first || !second) throw new Error("There are three instances.");

const ada = await server.signUp("Ada");
const { organizationId } = ada;
const onSecond = stockClient(second.url, ada.token);
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
  const device = connectDevice(first?.url ?? "", apiKey, options);
  connected.push(device);
  await untilStatus(onSecond, organizationId, id, "online");
  return { id, apiKey, device };
}
const execute = (deviceId: string, waitMs?: number) =>
  onSecond.agent.execute.mutate({ organizationId, deviceId, tool: "list_projects", params: {}, waitMs });
const complete = ({ id }: { id: string }, { client, journalId }: TestDevice) =>
  client.agent.complete.mutate({ id, journalId, result: { projects: [] } });

/** How many announcements of commands each instance has heard. */
const heard = () =>
  instances.map(({ database: { notifier } }) =>
    ["device_wake", "command_changed"].map((channel) => {
      const { heard: all, sent: own } = notifier.counts;
      return (all.get(channel) ?? 0) - (own.get(channel) ?? 0);
    }),
  );

it("each announcement of a command reaches the one instance that waits for it", async () => {
  const { id } = await online({ run: complete });
  // On a busy machine NATS may seem to be away for a while.
  await expect
    .poll(async () => {
      const before = heard();
      for (let n = 0; n < 10; n++)
        expect(await execute(id)).toMatchObject({ status: "succeeded", attempt: 1 });
      return heard().map((counts, at) => counts.map((count, n) => count - (before[at]?.[n] ?? 0)));
    })
    .toEqual([
      [10, 0],
      [0, 10],
      [0, 0],
    ]);
});

it("commands wait, are watched and canceled across instances", async () => {
  const { id, device } = await online({});
  const command = await execute(id, 0);
  await device.event("command");
  const watched = watch<{ type: string }>((handlers) =>
    onSecond.agent.watchCommand.subscribe({ organizationId, id: command.id }, handlers),
  );
  const waiting = onSecond.agent.getCommand.query({ organizationId, id: command.id, waitMs: 55_000 });
  await device.client.agent.progress.mutate({
    id: command.id,
    journalId: device.journalId,
    message: "half",
  });
  await watched.event(({ type }) => type === "progress");
  await onSecond.agent.cancelCommand.mutate({ organizationId, id: command.id });
  await device.event("cancel", (event) => event.id === command.id);
  await device.client.agent.complete.mutate({
    id: command.id,
    journalId: device.journalId,
    canceled: true,
  });
  expect(await waiting).toMatchObject({ status: "canceled" });
  await watched.event(({ type }) => type === "settled");
});

it("a revoked device is cut off on the instance that has it", async () => {
  const { id, apiKey, device } = await online({});
  await onSecond.device.revoke.mutate({ organizationId, id });
  await device.event("revoked");
  expect(await failure(stockClient(second.url, apiKey).device.self.query())).toMatchObject({
    code: "UNAUTHORIZED",
  });
});

it("the program ends with one line when NATS refuses it", async () => {
  const narrow = await startNats({ fresh: true, publish: ["another.>"] });
  onTestFinished(() => narrow.stop());
  const program = fileURLToPath(new URL("../../dist/main.js", import.meta.url));
  const env = {
    PATH: process.env.PATH,
    PORT: "0",
    DATABASE_URL: server.database.url,
    CREDENTIALS_KEY: generateVaultKey("test"),
    NATS_URL: narrow.url,
  };
  const { code, stderr } = await startProgram([process.execPath, program], { env, endAfter: onTestFinished })
    .ended;
  expect({ code, lines: stderr.trim().split("\n") }).toEqual({
    code: 1,
    lines: [expect.stringMatching(/^NATS at nats:\/\/127\.0\.0\.1:\d+ refuses: .*Publish.* Allow this user/)],
  });
});
