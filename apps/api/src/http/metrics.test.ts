import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { expect, it } from "vitest";
import { connectDevice, untilStatus } from "../testing/device";
import { addMember } from "../testing/fixtures";
import { failure, useTestServer } from "../testing/server";

const token = "a token of sixteen characters or more";
const server = await useTestServer({ metricsToken: token });
const ada = await server.signUp("Ada");
const { organizationId } = ada;

const read = (authorization?: string) =>
  fetch(`${server.url}/metrics`, { headers: authorization === undefined ? {} : { authorization } });

/** The samples of a metric, keyed by their label text. */
async function samples(name: string): Promise<Record<string, number>> {
  const text = await (await read(`Bearer ${token}`)).text();
  const lines = text.split("\n").filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
  return Object.fromEntries(
    lines.map((line) => {
      const end = line.lastIndexOf(" ");
      return [line.slice(name.length, end), Number(line.slice(end + 1))];
    }),
  );
}

it("requires the token", async () => {
  for (const wrong of [undefined, "", token, "Bearer ", "Bearer wrong", `bearer ${token}x`]) {
    const answer = await read(wrong);
    expect(answer.status).toBe(401);
    expect(await answer.text()).toContain('"code":"UNAUTHORIZED"');
  }
  const answer = await read(`Bearer ${token}`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
  expect(await answer.text()).toContain("nodejs_eventloop_lag_seconds");
});

it("is answered under any host name", async () => {
  const headers = { host: "10.244.1.17:3000", authorization: `Bearer ${token}` };
  const [answer] = (await once(get(`${server.url}/metrics`, { headers }), "response")) as [IncomingMessage];
  expect(answer.resume().statusCode).toBe(200);
});

it("counts answers by procedure and code, streams, devices, and commands by state with how long they took", async () => {
  expect(await failure(ada.client.device.get.query({ organizationId, id: organizationId }))).toMatchObject({
    code: "NOT_FOUND",
  });
  const { id, apiKey } = await ada.client.device.register.mutate({
    organizationId,
    name: "measured",
    platform: "linux",
  });
  const queued = await ada.client.agent.execute.mutate({
    organizationId,
    deviceId: id,
    tool: "list_projects",
    params: {},
    ifOffline: "queue",
    waitMs: 0,
  });
  expect(await samples("grove_commands_open")).toEqual({
    '{status="queued"}': 1,
    '{status="claimed"}': 0,
    '{status="running"}': 0,
  });
  const device = connectDevice(server.url, apiKey);
  await device.event("command");
  await device.client.agent.complete.mutate({ id: queued.id, journalId: device.journalId, result: 1 });
  await untilStatus(ada.client, organizationId, id, "online");

  expect(await samples("grove_procedure_seconds_count")).toMatchObject({
    '{procedure="device.get",code="NOT_FOUND"}': 1,
    '{procedure="agent.execute",code="OK"}': 1,
  });
  expect(await samples("grove_streams_open")).toEqual({ '{procedure="device.connect"}': 1 });
  expect(await samples("grove_devices_online")).toEqual({ "": 1 });
  expect(await samples("grove_command_seconds_count")).toEqual({ '{status="succeeded"}': 1 });
  expect(await samples("grove_commands_open")).toMatchObject({ '{status="queued"}': 0 });

  // Commands that end without a report from their device count, too.
  const bob = await server.signUp("Bob");
  await addMember(server, organizationId, bob, "member");
  await ada.client.device.update.mutate({ organizationId, id, shared: true });
  device.disconnect();
  await untilStatus(ada.client, organizationId, id, "offline");
  const queue = async (person: typeof ada) =>
    (
      await person.client.agent.execute.mutate({
        organizationId,
        deviceId: id,
        tool: "list_projects",
        params: {},
        ifOffline: "queue",
        waitMs: 0,
      })
    ).id;
  await ada.client.agent.cancelCommand.mutate({ organizationId, id: await queue(ada) });
  await queue(bob);
  await ada.client.organization.removeMember.mutate({ organizationId, userId: bob.user.id });
  await queue(ada);
  await ada.client.device.revoke.mutate({ organizationId, id });
  expect(await samples("grove_command_seconds_count")).toEqual({
    '{status="succeeded"}': 1,
    '{status="canceled"}': 3,
  });
  device.disconnect();
  await expect.poll(() => samples("grove_streams_open")).toEqual({ '{procedure="device.connect"}': 0 });
});
