import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { useTestServer } from "../testing/server";
import { asked, createBrowser, startSession, useReceiver } from "./testing";

/** More for a measurement; few for each change. */
const RUNS = Number(process.env.NOTIFICATION_RUNS ?? 4);
/** Fewer than the pushes of an hour, so that none is a digest. */
const PER_PERSON = 10;

const receiver = await useReceiver();
const server = await useTestServer({
  publicUrl: "https://grove.example.com",
  pushHosts: [receiver.host],
  integrations: { privateHosts: [receiver.host] },
});
const { db } = server.database;

async function subscribed() {
  const person = await server.signUp();
  const browser = createBrowser(receiver);
  await person.client.user.subscribePush.mutate(browser.subscription);
  const { organizationId } = person;
  const rules = [{ channel: "push" as const, kinds: ["needs_input" as const, "done" as const] }];
  await person.client.user.setNotificationRules.mutate({ organizationId, rules });
  const states = async () => {
    const rows = await db
      .selectFrom("notification_outbox")
      .select("delivery_state")
      .where("organization_id", "=", organizationId)
      .execute();
    return rows.map(({ delivery_state }) => delivery_state);
  };
  return { ...person, browser, states };
}

it("no push contains what the agent asks", async () => {
  for (let done = 0; done < RUNS; done += PER_PERSON) {
    const count = Math.min(PER_PERSON, RUNS - done);
    const { browser, states, ...ada } = await subscribed();
    const session = await startSession(server, ada);
    const secrets: string[] = [];
    for (let n = 0; n < count; n++) {
      const secret = randomBytes(9).toString("hex");
      secrets.push(secret);
      const input = `deploy --token ${secret}`;
      // Asked after the previous one was settled: requests that are open at the same time make one notification.
      await session.reportRequests(
        asked({ tool: `Bash ${secret}`, title: `Bash: ${input}`, input, ageMs: 0 }),
      );
      await expect.poll(states, { timeout: 20_000 }).toEqual(Array.from({ length: n + 1 }, () => "sent"));
      await session.report("working");
    }
    const messages = JSON.stringify(browser.messages());
    expect(browser.messages()).toHaveLength(count);
    for (const text of [...secrets, "deploy", "hunter2"]) expect(messages).not.toContain(text);
  }
});

it("a person who has the console in view and answers there is not pushed", async () => {
  const { browser, states, ...ada } = await subscribed();
  const { organizationId, client } = ada;
  const session = await startSession(server, ada);
  for (let n = 0; n < RUNS; n++) {
    await client.user.reportPresence.mutate();
    // The agent requests this after the previous request was settled, as above.
    await session.reportRequests(asked({ ageMs: 0 }));
    await session.report("working");
  }
  expect(await states()).toEqual(Array.from({ length: RUNS }, () => "due"));
  await sql`update notification_outbox set not_before = now() - interval '1 second'
    where organization_id = ${organizationId} and delivery_state = 'due'`.execute(db);
  server.database.notifier.announce("notification_due", organizationId);
  await expect.poll(states, { timeout: 20_000 }).toEqual(Array.from({ length: RUNS }, () => "suppressed"));
  expect(browser.requests()).toEqual([]);
});
