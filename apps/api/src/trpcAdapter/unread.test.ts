import { createConnection } from "node:net";
import { sql } from "kysely";
import { expect, it, onTestFinished } from "vitest";
import { createLog } from "../lib/log";
import { start } from "../server";
import type { Config } from "../services";
import { failure, stockClient, useTestServer } from "../testing/server";

const server = await useTestServer();

/** A server of its own on the same database, where a user may have one stream open. */
async function instance(config: Partial<Config>): Promise<string> {
  const { config: base, vault } = server.services;
  const other = await start({
    database: server.database,
    config: { ...base, ...config, bounds: { streams: 1, ...config.bounds } },
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
async function openUnread(
  url: string,
  { token, organizationId }: { token: string; organizationId: string },
  { query = "", header = "" } = {},
) {
  const { hostname, port } = new URL(url);
  const socket = createConnection({ host: hostname, port: Number(port) });
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => undefined);
  const input = encoded({ organizationId, lastEventId: "0" });
  socket.write(
    `GET /api/trpc/task.watch?input=${input}${query} HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${token}\r\n${header}\r\n`,
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

/** Makes more events than an unread connection can hold. */
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

it.each([
  ["of a plain request", {}],
  ["with an unknown parameter", { query: "&x=1" }],
  ["that tRPC itself answers", { header: "trpc-accept: text/event-stream\r\n" }],
  ["with connection parameters", { query: "&connectionParams=null" }],
])("an unread stream %s is cut off", async (_, how) => {
  const url = await instance({ unreadMs: 50 });
  const ada = await server.signUp();
  await makeEvents(ada);
  await openUnread(url, ada, how);
  await expect.poll(() => mayOpen(url, ada), { timeout: 20_000 }).toBe(true);
});

it("an unread stream ends with its credential", async () => {
  const url = await instance({});
  const ada = await server.signUp();
  const other = await server.signIn(ada.user.email);
  await makeEvents(ada);
  await openUnread(url, { ...ada, token: other.token });
  expect(await mayOpen(url, ada)).toBe(false);
  await ada.client.user.revokeSession.mutate({ id: other.sessionId });
  await expect.poll(() => mayOpen(url, ada), { timeout: 20_000 }).toBe(true);
});

/** Makes tasks of which a list is longer than an unread connection can hold. */
async function makeTasks({ organizationId }: Person): Promise<void> {
  await sql`insert into tasks
    (id, organization_id, slug, title, description, search_text, status, priority, labels, created_at)
    select gen_random_uuid(), ${organizationId}, 't' || n, 't', repeat('€', 50000), 't', 'todo', 'none', '{}', now()
    from generate_series(1, 80) as n`.execute(server.database.db);
}

/** Requests four lists of tasks, of 4 MiB each, and reads only the first part of the answer. */
async function requestUnread(url: string, { token, organizationId }: Person, header = "") {
  const { hostname, port } = new URL(url);
  const socket = createConnection({ host: hostname, port: Number(port) });
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => undefined);
  const list = { organizationId, limit: 100 };
  const input = encoded({ 0: list, 1: list, 2: list, 3: list });
  socket.write(
    `GET /api/trpc/${Array(4).fill("task.list").join(",")}?batch=1&input=${input} HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${token}\r\n${header}\r\n`,
  );
  await new Promise<void>((resolve) => {
    socket.once("data", () => {
      socket.pause();
      resolve();
    });
  });
  return socket;
}

const listOf = ({ token, organizationId }: Person, url: string) =>
  failure(stockClient(url, token).task.list.query({ organizationId, limit: 100 })).then(
    ({ reason }) => reason,
    () => "answered",
  );

it.each([
  ["of a plain request", ""],
  ["that tRPC itself gives", "trpc-accept: application/json\r\n"],
])("an unread answer %s is cut off", async (_, header) => {
  const url = await instance({ unreadMs: 50, bounds: { unread: 1_000_000 } });
  const ada = await server.signUp();
  await makeTasks(ada);
  await requestUnread(url, ada, header);
  await expect.poll(() => listOf(ada, url), { timeout: 20_000 }).toBe("answered");
});

it("unread answers are bounded for all callers together", async () => {
  const url = await instance({ bounds: { totalUnread: 6_000_000 } });
  const [ada, bob] = [await server.signUp(), await server.signUp("Bob")];
  await makeTasks(ada);
  await makeTasks(bob);
  const socket = await requestUnread(url, ada);
  expect(await listOf(bob, url)).toBe("overloaded");
  const client = stockClient(url, bob.token);
  const { organizationId } = bob;
  expect(await client.task.list.query({ organizationId, limit: 1 })).toHaveLength(1);
  // A change has happened when its answer is written, so that is never refused.
  const description = "x".repeat(50_000);
  const { id } = await client.task.create.mutate({ organizationId, title: "Long", description });
  const quotes = await client.task.update.mutate({ organizationId, id, description: '"'.repeat(50_000) });
  expect(quotes.description).toHaveLength(50_000);
  socket.destroy();
  await expect.poll(() => listOf(bob, url)).toBe("answered");
});
