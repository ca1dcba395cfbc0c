import { expect, it } from "vitest";
import { batchEventReads } from "../events/batchEventReads";
import { failure, useTestServer } from "../testing/server";
import { watch } from "../testing/watch";

const server = await useTestServer({
  bounds: { running: 1, queued: 3, queuedCharacters: 50_000, streams: 2, unread: 1_000_000 },
});
const { db } = server.database;

it("a batch runs within its caller's bounds, and refused calls may be repeated", async () => {
  const { token } = await server.signUp();
  const paths = Array(6).fill("organization.list").join(",");
  const response = await fetch(`${server.url}/api/trpc/${paths}?batch=1&input=%7B%7D`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(response.headers.get("retry-after")).toBe("1");
  const answers = (await response.json()) as { error?: { data: { code: string; reason: string } } }[];
  expect(answers.filter(({ error }) => !error)).toHaveLength(4);
  for (const { error } of answers.slice(4))
    expect(error?.data).toMatchObject({ code: "TOO_MANY_REQUESTS", reason: "too_many_in_progress" });
});

it.each([
  ["whose length is known", (body: string) => body],
  ["that comes in chunks", (body: string) => new Blob([body]).stream()],
])("a body %s is held only within its caller's bounds", async (_, send) => {
  const { token } = await server.signUp();
  const event = { event: "a", properties: { text: "x".repeat(24_000) } };
  const response = await fetch(
    `${server.url}/api/trpc/${Array(4).fill("analytics.track").join(",")}?batch=1`,
    {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: send(JSON.stringify({ 0: event, 1: event, 2: event, 3: event })),
      duplex: "half",
    },
  );
  const answers = (await response.json()) as { error?: { data: { reason: string } } }[];
  // One runs, and two wait.
  expect(answers.map(({ error }) => error?.data.reason)).toEqual([
    ...[undefined, undefined, undefined],
    "too_many_in_progress",
  ]);
});

it.each([
  ["by the fast path", {}],
  ["by tRPC itself", { "trpc-accept": "application/json" }],
])("an answer given %s counts as held only until it is read", async (_, headers) => {
  const { client, token, organizationId } = await server.signUp();
  // Twice as long in JSON.
  const description = '"'.repeat(50_000);
  const { id } = await client.task.create.mutate({ organizationId, title: "Long", description });
  const input = JSON.stringify(Object.fromEntries([0, 1, 2].map((n) => [n, { organizationId, id }])));
  const get = () =>
    fetch(`${server.url}/api/trpc/task.get,task.get,task.get?batch=1&input=${encodeURIComponent(input)}`, {
      headers: { authorization: `Bearer ${token}`, ...headers },
    });
  for (let n = 0; n < 5; n++) {
    const response = await get();
    expect([response.status, (await response.text()).length > 300_000]).toEqual([200, true]);
  }
});

it("a user's sessions and keys share their bounds; another's are their own", async () => {
  const ada = await server.signUp();
  const { organizationId } = ada;
  const { key } = await ada.client.apiKey.create.mutate({ organizationId, name: "a" });
  const subscribe = (client: typeof ada.client) =>
    watch((handlers) => client.task.watch.subscribe({ organizationId }, handlers));
  const streams = [subscribe(ada.client), subscribe(server.client(key))];
  for (const stream of streams) await stream.ready();
  expect(await failure(subscribe(ada.client).ready())).toMatchObject({
    code: "TOO_MANY_REQUESTS",
    reason: "too_many_in_progress",
  });
  const bob = await server.signUp("Bob");
  const others = watch((handlers) =>
    bob.client.task.watch.subscribe({ organizationId: bob.organizationId }, handlers),
  );
  await others.ready();
  streams[0]?.stop();
  await expect
    .poll(async () => {
      const again = subscribe(ada.client);
      const opened = await again.ready().then(
        () => true,
        () => false,
      );
      if (opened) again.stop();
      return opened;
    })
    .toBe(true);
  for (const stream of [...streams, others]) stream.stop();
});

it("reads at most a page of a topic's events, for any number of streams", async () => {
  const { client, organizationId } = await server.signUp();
  const description = "x".repeat(50_000);
  for (const title of ["1", "2", "3", "4", "5", "6", "7", "8"])
    await client.task.create.mutate({ organizationId, title, description });
  const read = batchEventReads(db);
  const place = { organizationId, topic: "task" };
  const [first, same, second] = await Promise.all([
    read({ ...place, after: 0 }),
    read({ ...place, after: 0 }),
    read({ ...place, after: 6 }),
  ]);
  const sequences = ({ events }: typeof first) => events.map(({ sequence }) => Number(sequence));
  expect(first).toBe(same);
  // 256 KiB hold five of them; the sixth begins within that limit.
  expect([sequences(first), first.more]).toEqual([[1, 2, 3, 4, 5, 6], true]);
  expect([sequences(second), second.more]).toEqual([[7, 8], false]);
  expect(await read({ ...place, after: 8 })).toEqual({ events: [], more: false });
});

it("one event is read once for all its watchers", async () => {
  const people = await Promise.all(Array.from({ length: 6 }, () => server.signUp()));
  const [ada] = people;
  if (!ada) throw new Error("sign-up made no account");
  const { organizationId } = ada;
  await db
    .insertInto("memberships")
    .values(
      people
        .slice(1)
        .map(({ user }) => ({ organization_id: organizationId, user_id: user.id, role: "member" })),
    )
    .execute();
  const streams = people.flatMap(({ client }) =>
    [1, 2].map(() => watch((handlers) => client.task.watch.subscribe({ organizationId }, handlers))),
  );
  for (const stream of streams) await stream.ready();
  const before = server.statements.length;
  await ada.client.task.create.mutate({ organizationId, title: "Seen by all" });
  await Promise.all(streams.map((stream) => stream.event(({ type }) => type === "created")));
  const reads = server.statements.slice(before).filter(({ sql }) => sql.includes("from organization_events"));
  expect(reads.length).toBeLessThan(streams.length / 2);
  for (const stream of streams) stream.stop();
});
