import { createConnection } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { createLog } from "../../lib/log";
import { start } from "../../server";
import type { Config } from "../../services";
import { useTestServer } from "../../testing/server";

const server = await useTestServer();

/** A server of its own on the same database, where a user may have one stream open. */
async function instance(config: Partial<Config>): Promise<string> {
  const { config: base, vault } = server.services;
  const other = await start({
    database: server.database,
    config: { ...base, bounds: { streams: 1 }, ...config },
    vault,
    host: "127.0.0.1",
    port: 0,
    log: createLog("silent"),
  });
  onTestFinished(() => other.close());
  return other.url;
}

const encoded = (input: unknown) => encodeURIComponent(JSON.stringify(input));

/** Opens a stream of a person's task events, and reads nothing after its first event. */
async function openUnread(url: string, { token, organizationId }: { token: string; organizationId: string }) {
  const { hostname, port } = new URL(url);
  const socket = createConnection({ host: hostname, port: Number(port) });
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => undefined);
  const input = encoded({ organizationId, lastEventId: "0" });
  socket.write(
    `GET /api/trpc/task.watch?input=${input} HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${token}\r\n\r\n`,
  );
  // The stream counts as open before its first event.
  await new Promise<void>((resolve) => {
    let read = "";
    socket.on("data", (chunk) => {
      read += String(chunk);
      if (!read.includes('"created"')) return;
      socket.pause();
      resolve();
    });
  });
}

type Person = Awaited<ReturnType<typeof server.signUp>>;

const EVENTS = 60;

/** Makes more events than a connection that nobody reads can hold. */
async function makeEvents({ client, organizationId }: Person): Promise<void> {
  const description = "€".repeat(50_000);
  const { id } = await client.task.create.mutate({ organizationId, title: "Long" });
  for (let n = 0; n < EVENTS; n++)
    await client.task.update.mutate({ organizationId, id, description, title: `Long ${n}` });
}

/** Whether one more stream may be opened. */
async function mayOpen(url: string, { token, organizationId }: { token: string; organizationId: string }) {
  const stop = new AbortController();
  const response = await fetch(`${url}/api/trpc/task.watch?input=${encoded({ organizationId })}`, {
    headers: { authorization: `Bearer ${token}`, accept: "text/event-stream" },
    signal: stop.signal,
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (!/"ready"|serialized-error/.test(text)) {
    const part = await reader?.read();
    if (!part || part.done) break;
    text += part.value;
  }
  stop.abort();
  return text.includes('"ready"');
}

it("a stream that nobody reads is cut off", async () => {
  const url = await instance({ unreadMs: 50 });
  const ada = await server.signUp();
  await makeEvents(ada);
  await openUnread(url, ada);
  await expect.poll(() => mayOpen(url, ada), { timeout: 20_000 }).toBe(true);
});

it("a stream that nobody reads ends with its credential", async () => {
  const url = await instance({});
  const ada = await server.signUp();
  const other = await server.signIn(ada.user.email);
  await makeEvents(ada);
  await openUnread(url, { ...ada, token: other.token });
  expect(await mayOpen(url, ada)).toBe(false);
  await ada.client.user.revokeSession.mutate({ id: other.sessionId });
  await expect.poll(() => mayOpen(url, ada), { timeout: 20_000 }).toBe(true);
});
