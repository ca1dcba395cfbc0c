import { expect, it } from "vitest";
import { useTestServer } from "../testing/server";

const server = await useTestServer();
const { client, token, organizationId } = await server.signUp();
const { apiKey, id: deviceId } = await client.device.register.mutate({
  organizationId,
  name: "a",
  platform: "linux",
});

const encoded = (input: unknown) => encodeURIComponent(JSON.stringify(input));

/** Status, headers and all events, without what differs from request to request. */
async function answer(path: string, key: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${server.url}/api/trpc/${path}`, {
    headers: { authorization: `Bearer ${key}`, accept: "text/event-stream", ...headers },
  });
  const body = (await response.text()).replace(/"requestId":"[^"]*"/g, "");
  const names = ["content-type", "cache-control", "x-accel-buffering", "connection", "vary"];
  return { status: response.status, headers: names.map((name) => response.headers.get(name)), body };
}

/** A command that was canceled before it ran: watching it ends with that. */
async function settledCommand() {
  const { id } = await client.agent.execute.mutate({
    organizationId,
    deviceId,
    tool: "list_projects",
    params: {},
    ifOffline: "queue",
    waitMs: 0,
  });
  await client.agent.cancelCommand.mutate({ organizationId, id });
  return encoded({ organizationId, id });
}
const settled = await settledCommand();

// A request with `trpc-accept` is not a simple one, so tRPC answers it.
it.each<[what: string, path: string, key: string, headers: Record<string, string>, last: string]>([
  ["events without ids", "device.probe", apiKey, {}, "return"],
  ["events with ids", `agent.watchCommand?input=${settled}`, token, {}, "return"],
  ["one that is resumed", `agent.watchCommand?input=${settled}&lastEventId=x`, token, {}, "return"],
  [
    "one that is resumed by header",
    `agent.watchCommand?input=${settled}`,
    token,
    { "last-event-id": "x" },
    "return",
  ],
  ["events without ids after one", "device.probe?lastEventId=x", apiKey, {}, "serialized-error"],
  ["an id of two lines", `agent.watchCommand?input=${settled}&lastEventId=a%0Ab`, token, {}, "return"],
  ["no credential", "device.probe", "none", {}, "serialized-error"],
  ["the wrong credential", "device.probe", token, {}, "serialized-error"],
  [
    "input that is wrong",
    `device.connect?input=${encoded({ journalId: 1 })}`,
    apiKey,
    {},
    "serialized-error",
  ],
  ["an input that is missing", "device.connect", apiKey, {}, "serialized-error"],
  [
    "a command that is unknown",
    `agent.watchCommand?input=${encoded({ organizationId, id: deviceId })}`,
    token,
    {},
    "serialized-error",
  ],
])("a stream is answered as tRPC answers it: %s", async (_, path, key, headers, last) => {
  const ours = await answer(path, key, headers);
  expect(ours).toEqual(await answer(path, key, { ...headers, "trpc-accept": "text/event-stream" }));
  expect(ours.status).toBe(200);
  expect(ours.body).toMatch(new RegExp(`event: ${last}\ndata: .*\n+$`));
});

it.each([
  ["input that is not JSON", "device.probe?input=%7B"],
  ["an unknown procedure", "device.paint"],
])("tRPC reports a malformed request: %s", async (_, path) => {
  const ours = await answer(path, apiKey);
  expect(ours).toEqual(await answer(path, apiKey, { "trpc-accept": "text/event-stream" }));
});

it("a caller that hangs up ends the stream", async () => {
  const hangUp = new AbortController();
  const input = encoded({ journalId: crypto.randomUUID(), agentVersion: "1.0.0", capabilities: [] });
  const response = await fetch(`${server.url}/api/trpc/device.connect?input=${input}`, {
    headers: { authorization: `Bearer ${apiKey}` },
    signal: hangUp.signal,
  });
  await response.body?.getReader().read();
  await expect.poll(() => server.services.dispatch.streams.of(deviceId)).toBeDefined();
  hangUp.abort();
  await expect.poll(() => server.services.dispatch.streams.of(deviceId)).toBeUndefined();
});
