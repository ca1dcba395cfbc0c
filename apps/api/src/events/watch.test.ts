import { taskEvent } from "@grove/schemas";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { deleteOutdated } from "../maintenance/retention";
import { start } from "../server";
import { stockClient, useTestServer } from "../testing/server";
import { watch } from "../testing/watch";

const server = await useTestServer();
const { db } = server.database;

/** A person with an organization of their own, and a watcher of its tasks. */
async function someone() {
  const person = await server.signUp();
  const { organizationId } = person;
  return {
    organizationId,
    create: (title: string) => person.client.task.create.mutate({ organizationId, title }),
    watchFrom: (lastEventId?: string) =>
      watch((handlers) => person.client.task.watch.subscribe({ organizationId, lastEventId }, handlers)),
    person,
  };
}

const titlesOf = ({ events }: ReturnType<Awaited<ReturnType<typeof someone>>["watchFrom"]>) =>
  events.flatMap(({ data }) => {
    const event = taskEvent.parse(data);
    return event.type === "created" ? [event.task.title] : [];
  });

const isTitled = (title: string) => (data: { type: string }) => {
  const event = taskEvent.parse(data);
  return event.type === "created" && event.task.title === title;
};

it("begins with what happens from now on", async () => {
  const { create, watchFrom } = await someone();
  await create("before");
  const watcher = watchFrom();
  expect((await watcher.ready()).data).toEqual({ type: "ready", missed: false });
  await create("after");
  await watcher.event(isTitled("after"));
  expect(titlesOf(watcher)).toEqual(["after"]);
  watcher.stop();
});

it("resumes after the last event seen, wherever it was cut, and even if that was none", async () => {
  const { create, watchFrom } = await someone();
  const first = watchFrom();
  const seen = [(await first.ready()).id];
  first.stop();
  for (const title of ["one", "two", "three"]) await create(title);
  const second = watchFrom(seen[0]);
  await second.ready();
  expect(titlesOf(second)).toEqual(["one", "two", "three"]);
  second.stop();
  const third = watchFrom(second.events[1]?.id);
  await third.ready();
  await create("four");
  await third.event(isTitled("four"));
  expect(titlesOf(third)).toEqual(["three", "four"]);
  expect(third.events.map(({ id }) => id)).toEqual(["3", "3", "4"]);
  third.stop();
});

it("reads a backlog of more than one batch in order", async () => {
  const { organizationId, create, watchFrom } = await someone();
  await create("0");
  await sql`insert into organization_events (organization_id, sequence, topic, payload)
    select organization_id, n, topic, jsonb_set(payload, '{task,title}', to_jsonb((n - 1)::text))
    from organization_events, generate_series(2, 250) as n where organization_id = ${organizationId}`.execute(
    db,
  );
  await sql`update organization_event_counters set last_sequence = 250
    where organization_id = ${organizationId}`.execute(db);
  const watcher = watchFrom("0");
  await watcher.ready();
  expect(titlesOf(watcher)).toEqual(Array.from({ length: 250 }, (_, n) => `${n}`));
  expect(watcher.events.at(-1)).toEqual({ id: "250", data: { type: "ready", missed: false } });
  watcher.stop();
});

it("reports when events after the last one seen are no longer kept, or are not this database's", async () => {
  const { organizationId, create, watchFrom } = await someone();
  for (const title of ["one", "two", "three"]) await create(title);
  await sql`update organization_events set created_at = now() - interval '8 days'
    where organization_id = ${organizationId} and sequence = 2`.execute(db);
  // Deleting this event deletes all events before it.
  await deleteOutdated(db);
  for (const [lastEventId, missed] of [
    ["0", true],
    ["1", true],
    ["2", false],
    ["3", false],
    ["99", true],
  ] as const) {
    const watcher = watchFrom(lastEventId);
    expect(await watcher.ready()).toEqual({ id: "3", data: { type: "ready", missed } });
    expect(titlesOf(watcher)).toEqual(lastEventId === "2" ? ["three"] : []);
    watcher.stop();
  }
});

it("keeps its place while others' topics move on", async () => {
  const { organizationId, create, person } = await someone();
  const { id: sessionId } = await person.client.chat.createSession.mutate({ organizationId });
  const messages = watch((handlers) =>
    person.client.chat.onMessage.subscribe({ organizationId, sessionId, lastEventId: "0" }, handlers),
  );
  await messages.ready();
  messages.stop();
  for (const title of ["one", "two"]) await create(title);
  const resumed = watch((handlers) =>
    person.client.chat.onMessage.subscribe({ organizationId, sessionId, lastEventId: "0" }, handlers),
  );
  expect(await resumed.ready()).toEqual({ id: "2", data: { type: "ready", missed: false } });
  resumed.stop();
});

it("resumes by itself after a restart of the server", async () => {
  const { services, database } = server;
  const options = { ...services, database, host: "127.0.0.1" };
  const second = await start({ ...options, port: 0 });
  const { create, organizationId, person } = await someone();
  const client = stockClient(second.url, person.token);
  const watcher = watch((handlers) => client.task.watch.subscribe({ organizationId }, handlers));
  await watcher.ready();
  await create("one");
  await watcher.event(isTitled("one"));
  await second.close();
  await create("two");
  const third = await start({ ...options, port: Number(new URL(second.url).port) });
  await watcher.event(isTitled("two"));
  await create("three");
  await watcher.event(isTitled("three"));
  expect(titlesOf(watcher)).toEqual(["one", "two", "three"]);
  watcher.stop();
  await third.close();
});
