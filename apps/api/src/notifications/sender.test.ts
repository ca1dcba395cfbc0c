import { newId } from "@grove/db";
import { sql } from "kysely";
import { beforeEach, describe, expect, it } from "vitest";
import { addMember } from "../testing/fixtures";
import { type Person, useTestServer } from "../testing/server";
import { asked, createBrowser, isSigned, startSession, useReceiver } from "./testing";

const receiver = await useReceiver();
const server = await useTestServer({
  publicUrl: "https://grove.example.com",
  pushHosts: [receiver.host],
  integrations: { privateHosts: [receiver.host] },
});
const { db } = server.database;

/** Someone with a subscribed browser and a push rule. */
async function subscribed(rule: object = {}) {
  const person = await server.signUp();
  const browser = createBrowser(receiver);
  await person.client.user.subscribePush.mutate(browser.subscription);
  await setRule(person, { channel: "push", ...rule });
  return { ...person, browser };
}

const setRule = (person: Person, rule: object, organizationId = person.organizationId) =>
  person.client.user.setNotificationRules.mutate({
    organizationId,
    rules: [{ channel: "push", kinds: ["needs_input", "done", "limited", "failed"], ...rule } as never],
  });

const deliveries = (person: Person, organizationId = person.organizationId) =>
  person.client.user.listNotificationDeliveries.query({ organizationId });
const states = async (person: Person, organizationId?: string) =>
  (await deliveries(person, organizationId)).map(({ state }) => state);
const untilState = (person: Person, state: string, organizationId?: string) =>
  expect.poll(() => states(person, organizationId), { timeout: 20_000 }).toEqual([state]);

/** Makes the notifications of an organization due. */
async function makeDue(organizationId: string) {
  await sql`update notification_outbox set not_before = now() - interval '1 second'
    where organization_id = ${organizationId} and delivery_state = 'due'`.execute(db);
  server.database.notifier.announce("notification_due", organizationId);
}

beforeEach(() => {
  receiver.status = () => 201;
  receiver.hangsUp = () => false;
});

describe("a push", () => {
  it("reports that an agent asks, signed and encrypted, without the text of the request", async () => {
    const ada = await subscribed();
    const session = await startSession(server, ada);
    const open = asked();
    await session.reportRequests(open);
    await untilState(ada, "sent");
    const [organization] = await ada.client.organization.list.query();
    const [sent] = await deliveries(ada);
    expect(ada.browser.messages()).toEqual([
      {
        id: sent?.id,
        kind: "needs_input",
        title: "claude needs input in login-form",
        url: `https://grove.example.com/o/${organization?.slug}/requests/${open.id}`,
      },
    ]);
    const [request] = ada.browser.requests();
    expect(isSigned(request?.headers.authorization, receiver.url)).toBe(true);
    expect(request?.headers.topic).toBe(sent?.id.replaceAll("-", ""));
    expect(request?.body.includes("hunter2")).toBe(false);
  });

  it("has the start of the request if the user wants it", async () => {
    const ada = await subscribed({ showText: true });
    const session = await startSession(server, ada);
    await session.reportRequests(asked({ title: `Bash: ${"x".repeat(500)}` }));
    await untilState(ada, "sent");
    expect(ada.browser.messages()[0]?.text).toBe(`Bash: ${"x".repeat(113)}…`);
  });

  it.each([
    ["done", "claude is done in login-form"],
    ["limited", "claude reached a limit in login-form"],
    ["failed", "claude has failed in login-form"],
  ] as const)("reports that an agent is %s", async (state, title) => {
    const ada = await subscribed();
    const session = await startSession(server, ada);
    await session.report(state);
    await untilState(ada, "sent");
    expect(ada.browser.messages()).toMatchObject([{ kind: state, title }]);
    expect(ada.browser.messages()[0]?.url).toMatch(new RegExp(`/agents/${session.id}$`));
  });

  it("is sent once for repeated reports, and for requests that are asked together", async () => {
    const ada = await subscribed();
    const session = await startSession(server, ada);
    const [first, second] = [asked(), asked()];
    await session.reportRequests(first);
    await session.reportRequests(first, second);
    await session.repeat(first, second);
    await untilState(ada, "sent");
    const later = asked({ ageMs: 0 });
    await sql`update agent_requests set created_at = created_at - interval '1 minute'
      where organization_id = ${ada.organizationId}`.execute(db);
    await session.reportRequests(first, second, later);
    await expect.poll(() => states(ada)).toEqual(["sent", "sent"]);
    expect(ada.browser.messages()).toHaveLength(2);
  });

  it("goes to the users whom the rules name", async () => {
    const ada = await subscribed();
    const [bob, eve] = [await subscribed(), await subscribed()];
    const { organizationId } = ada;
    await addMember(server, organizationId, bob, "admin");
    await addMember(server, organizationId, eve, "member");
    const session = await startSession(server, ada);
    await setRule(bob, { scope: "projects", projectIds: [session.projectId] }, organizationId);
    // Members who may not read the output learn nothing of others' sessions.
    await setRule(eve, { scope: "all" }, organizationId);
    await session.reportRequests(asked());
    await untilState(ada, "sent");
    await untilState(bob, "sent", organizationId);
    expect(await states(eve, organizationId)).toEqual([]);
  });

  it("deletes a subscription that its push service no longer has", async () => {
    const ada = await subscribed();
    receiver.status = (path) => (path === ada.browser.path ? 410 : 201);
    const session = await startSession(server, ada);
    await session.reportRequests(asked());
    await untilState(ada, "suppressed");
    const { subscriptions } = await ada.client.user.listPushSubscriptions.query();
    expect(subscriptions).toEqual([]);
  });

  it("is repeated with the same topic after an answer that was lost", async () => {
    const ada = await subscribed();
    receiver.hangsUp = (path) => path === ada.browser.path && ada.browser.requests().length === 1;
    const session = await startSession(server, ada);
    await session.reportRequests(asked());
    await expect
      .poll(async () => (await deliveries(ada))[0])
      .toMatchObject({ state: "due", error: expect.any(String) });
    await makeDue(ada.organizationId);
    await untilState(ada, "sent");
    const topics = ada.browser.requests().map(({ headers }) => headers.topic);
    expect(topics).toEqual([topics[0], topics[0]]);
  });

  it("is held back after twenty in an hour, with one digest", async () => {
    const ada = await subscribed();
    const [rule] = await ada.client.user.listNotificationRules.query(ada);
    await sql`insert into notification_outbox
        (organization_id, id, user_id, rule_id, channel, kind, dedupe, delivery_state, sent_at)
      select ${ada.organizationId}, gen_random_uuid(), ${ada.user.id}, ${rule?.id}, 'push', 'test', 'earlier ' || n,
        'sent', now() from generate_series(1, 19) as n`.execute(db);
    for (let count = 0; count < 3; count++) await (await startSession(server, ada)).reportRequests(asked());
    await expect
      .poll(async () =>
        (await deliveries(ada)).filter(({ kind }) => kind === "needs_input").map(({ error }) => error),
      )
      .toEqual(["hourly_limit", null, null]);
    await expect.poll(() => ada.browser.messages().length).toBe(2);
    const titles = ada.browser.messages().map(({ title }) => title);
    expect(titles.filter((title) => title?.startsWith("Many agents"))).toHaveLength(1);
  });
});

describe("before it is sent", () => {
  it("waits for quiet hours to end, or as long as the rule requires", async () => {
    const hour = (from: Date) => `${from.getUTCHours()}`.padStart(2, "0");
    const [now, later] = [new Date(), new Date(Date.now() + 2 * 3_600_000)];
    const ada = await subscribed({ quietFrom: `${hour(now)}:00`, quietTo: `${hour(later)}:00` });
    const bob = await subscribed({ afterSeconds: 600 });
    for (const person of [ada, bob]) await (await startSession(server, person)).reportRequests(asked());
    expect([await states(ada), await states(bob)]).toEqual([["due"], ["due"]]);
    const rows = await db
      .selectFrom("notification_outbox")
      .select("not_before")
      .where("user_id", "=", ada.user.id)
      .execute();
    expect(rows[0]?.not_before).toBe(`${later.toISOString().slice(0, 13)}:00:00.000Z`);
  });

  it("waits for a user who has the console in view, and is not sent once the request is settled", async () => {
    const ada = await subscribed();
    await ada.client.user.reportPresence.mutate();
    const session = await startSession(server, ada);
    await session.reportRequests(asked());
    expect(await states(ada)).toEqual(["due"]);
    await session.report("working");
    await makeDue(ada.organizationId);
    await untilState(ada, "suppressed");
    expect((await deliveries(ada))[0]?.error).toBe("settled");
    expect(ada.browser.requests()).toEqual([]);
  });

  it("is about another open request if the first one is settled", async () => {
    const ada = await subscribed({ afterSeconds: 600 });
    const session = await startSession(server, ada);
    const [first, second] = [asked(), asked()];
    await session.reportRequests(first, second);
    await session.reportRequests(second);
    await makeDue(ada.organizationId);
    await untilState(ada, "sent");
    expect(ada.browser.messages()[0]?.url).toMatch(new RegExp(`/requests/${second.id}$`));
  });

  it("waits while the user has snoozed the request, but still sends another one", async () => {
    const ada = await subscribed({ afterSeconds: 600 });
    const { organizationId } = ada;
    const session = await startSession(server, ada);
    const [first, second] = [asked(), asked()];
    await session.reportRequests(first);
    await ada.client.agent.snoozeRequest.mutate({ organizationId, id: first.id });
    await makeDue(organizationId);
    const notBefore = () =>
      db
        .selectFrom("notification_outbox")
        .select([
          "delivery_state",
          "attempts",
          sql<boolean>`not_before > now() + interval '59 minutes'`.as("waits"),
        ])
        .where("organization_id", "=", organizationId)
        .executeTakeFirst();
    await expect.poll(notBefore).toEqual({ delivery_state: "due", attempts: 0, waits: true });
    await session.reportRequests(first, second);
    await makeDue(organizationId);
    await untilState(ada, "sent");
    expect(ada.browser.messages().map(({ url }) => url)).toEqual([
      expect.stringMatching(new RegExp(`/requests/${second.id}$`)),
    ]);
  });

  it("needs the user's right to know of the session", async () => {
    const ada = await subscribed();
    const bob = await subscribed();
    const { organizationId } = ada;
    await addMember(server, organizationId, bob, "admin");
    await setRule(bob, { scope: "all", afterSeconds: 600 }, organizationId);
    const session = await startSession(server, ada);
    await session.reportRequests(asked());
    await ada.client.organization.updateMemberRole.mutate({
      organizationId,
      userId: bob.user.id,
      role: "member",
    });
    await makeDue(organizationId);
    await untilState(bob, "suppressed", organizationId);
    expect((await deliveries(bob, organizationId))[0]?.error).toBe("not_allowed");
    expect(bob.browser.requests()).toEqual([]);
  });

  it("ends with a membership, and its subscription with the session", async () => {
    const ada = await subscribed();
    const bob = await subscribed();
    const { organizationId } = ada;
    await addMember(server, organizationId, bob, "admin");
    await setRule(bob, { scope: "all", afterSeconds: 600 }, organizationId);
    await (await startSession(server, ada)).reportRequests(asked());
    await ada.client.organization.removeMember.mutate({ organizationId, userId: bob.user.id });
    const left = await db
      .selectFrom("notification_outbox")
      .select("id")
      .where("organization_id", "=", organizationId)
      .where("user_id", "=", bob.user.id)
      .execute();
    expect(left).toEqual([]);
    const other = await server.signIn(ada.user.email);
    const [mine] = (await ada.client.user.listSessions.query()).filter(({ current }) => current);
    await other.client.user.revokeSession.mutate({ id: mine?.id ?? "" });
    expect((await other.client.user.listPushSubscriptions.query()).subscriptions).toEqual([]);
  });
});

describe("after a process ended between sending and recording it", () => {
  /** The notification as such a process leaves it. */
  const loseProcess = async (organizationId: string) => {
    await sql`update notification_outbox set delivery_state = 'sending', leased_until = now() - interval '1 second'
      where organization_id = ${organizationId}`.execute(db);
    server.database.notifier.announce("notification_due", organizationId);
  };

  it("a push is repeated", async () => {
    const ada = await subscribed();
    await (await startSession(server, ada)).reportRequests(asked());
    await untilState(ada, "sent");
    await loseProcess(ada.organizationId);
    await expect.poll(() => ada.browser.messages().length).toBe(2);
    await untilState(ada, "sent");
    const [first, second] = ada.browser.requests();
    expect(first?.headers.topic).toBe(second?.headers.topic);
  });

  it("a webhook is repeated with the same id", async () => {
    const ada = await server.signUp();
    const path = `/hook/${newId()}`;
    const target = { url: `${receiver.url}${path}`, secret: "a secret of sixteen" };
    await setRule(ada, { channel: "webhook", target });
    await (await startSession(server, ada)).reportRequests(asked());
    await untilState(ada, "sent");
    await loseProcess(ada.organizationId);
    await expect.poll(() => receiver.at(path).length).toBe(2);
    await untilState(ada, "sent");
    const [first, second] = receiver.at(path).map(({ body }) => JSON.parse(String(body)));
    expect(second).toEqual(first);
  });

  it("a message to a topic of ntfy is not, since it may have arrived", async () => {
    const ada = await server.signUp();
    const path = `/ntfy/${newId()}`;
    await setRule(ada, { channel: "ntfy", target: { url: `${receiver.url}${path}/topic` } });
    await (await startSession(server, ada)).reportRequests(asked());
    await untilState(ada, "sent");
    await loseProcess(ada.organizationId);
    await untilState(ada, "unknown");
    expect(receiver.at(path)).toHaveLength(1);
  });
});
