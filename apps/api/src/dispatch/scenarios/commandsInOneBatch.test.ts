import { newId } from "@grove/db";
import { afterEach, expect, it } from "vitest";
import { connectDevice, type TestDevice, untilStatus } from "../../testing/device";
import { failure, type Person, stockClient, useTestServer } from "../../testing/server";

// Commands of one batch are written together, and each gets its own answer.
const server = await useTestServer();
const [ada, bob] = await Promise.all([server.signUp("Ada"), server.signUp("Bob")]);
const connected: TestDevice[] = [];
afterEach(() => {
  for (const device of connected.splice(0)) device.disconnect();
});

const register = ({ client, organizationId }: Person) =>
  client.device.register.mutate({ organizationId, name: "a", platform: "linux" });

async function online(person: Person, run: Parameters<typeof connectDevice>[2] = { run: echo }) {
  const { id, apiKey } = await register(person);
  const device = connectDevice(server.url, apiKey, run);
  connected.push(device);
  await untilStatus(person.client, person.organizationId, id, "online");
  return { id, device };
}

/** Reports the command's parameters as its result. */
const echo = (command: { id: string; params: unknown }, { client, journalId }: TestDevice) =>
  client.agent.complete.mutate({ id: command.id, journalId, result: command.params });

const execute = ({ client, organizationId }: Person, deviceId: string, more: object = {}) =>
  client.agent.execute.mutate({ organizationId, deviceId, tool: "list_projects", params: {}, ...more });

const idsOf = (events: { id: string }[]) => events.map(({ id }) => id).sort();
const commandsOf = (device: TestDevice) => idsOf(device.events.filter((event) => event.type === "command"));

it("runs each once, on its own device, and gives each caller its own result", async () => {
  const own = [
    { person: ada, ...(await online(ada)) },
    { person: ada, ...(await online(ada)) },
    { person: bob, ...(await online(bob)) },
  ];
  const asked = Array.from({ length: 90 }, (_, n) => ({ ...own[n % 3], search: `number ${n}` }));
  const commands = await Promise.all(
    asked.map(({ person = ada, id = "", search }) => execute(person, id, { params: { search } })),
  );
  expect(commands.map(({ status, deviceId, result }) => ({ status, deviceId, result }))).toEqual(
    asked.map(({ id, search }) => ({ status: "succeeded", deviceId: id, result: { search } })),
  );
  for (const { id, device } of own)
    expect(commandsOf(device)).toEqual(idsOf(commands.filter(({ deviceId }) => deviceId === id)));
});

it("refuses each command that the device cannot take, for its own reason, and takes the rest", async () => {
  const { id } = await online(ada);
  const { id: offline } = await register(ada);
  const { id: bobs } = await online(bob);
  const fits = () => execute(ada, id).then(({ status }) => status);
  const reason = async (call: Promise<unknown>) => {
    const { reason: why, code } = await failure(call);
    return why ?? code;
  };
  const key = newId();
  const first = execute(ada, id, { idempotencyKey: key, params: { search: "one" } });
  const other = execute(ada, id, { idempotencyKey: key, params: { search: "other" } });
  const answers = await Promise.all([
    fits(),
    reason(execute(ada, offline)),
    fits(),
    reason(execute(ada, bobs)),
    reason(execute(ada, id, { tool: "paint" })),
    reason(execute(ada, newId())),
    fits(),
    Promise.allSettled([first, other]).then((both) => both.map(({ status }) => status).sort()),
  ]);
  expect(answers).toEqual([
    "succeeded",
    "device_offline",
    "succeeded",
    "NOT_FOUND",
    "unsupported_tool",
    "NOT_FOUND",
    "succeeded",
    ["fulfilled", "rejected"],
  ]);
});

it("judges each report alone: from another journal, from another device, of a settled command", async () => {
  const { id, device } = await online(ada, {});
  const { device: another } = await online(bob, {});
  const [good, ended, foreign, elsewhere] = await Promise.all(
    Array.from({ length: 4 }, () => execute(ada, id, { waitMs: 0 })),
  );
  const complete = (
    command: { id: string } | undefined,
    { client, journalId }: Pick<TestDevice, "client" | "journalId"> = device,
    result: unknown = "done",
  ) => client.agent.complete.mutate({ id: command?.id ?? "", journalId, result });
  await complete(ended, device, "before");
  const answers = await Promise.all([
    complete(good),
    complete(ended, device, "again"),
    failure(complete(foreign, { client: device.client, journalId: newId() })).then(({ reason }) => reason),
    failure(complete(elsewhere, another)).then(({ code }) => code),
    // Twice in one turn: the second changes nothing.
    complete(good),
  ]);
  expect(answers).toEqual([
    { status: "succeeded" },
    { status: "succeeded" },
    "journal_mismatch",
    "NOT_FOUND",
    { status: "succeeded" },
  ]);
  const read = async (command?: { id: string }) => {
    const { status, result } = await ada.client.agent.getCommand.query({
      organizationId: ada.organizationId,
      id: command?.id ?? "",
    });
    return [status, result];
  };
  expect(await Promise.all([good, ended, foreign, elsewhere].map(read))).toEqual([
    ["succeeded", "done"],
    ["succeeded", "before"],
    ["claimed", null],
    ["claimed", null],
  ]);
});

it("shows a command to its own organization only, also in one batch with another organization's read", async () => {
  const { id } = await online(ada);
  const command = await execute(ada, id);
  const get = ({ client, organizationId }: Pick<Person, "client" | "organizationId">) =>
    client.agent.getCommand.query({ organizationId, id: command.id });
  const [seen, hidden] = await Promise.all([
    get(ada),
    failure(get({ client: stockClient(server.url, bob.token), organizationId: bob.organizationId })),
  ]);
  expect([seen.status, hidden.code]).toEqual(["succeeded", "NOT_FOUND"]);
});
