import { newId } from "@grove/db";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { clean } from "../../maintenance/retention";
import { addMember } from "../../testing/fixtures";
import { failure, useTestServer } from "../../testing/server";
import { createBrowser, useReceiver } from "../testing";

const receiver = await useReceiver();
const server = await useTestServer({
  pushHosts: [receiver.host],
  integrations: { privateHosts: [receiver.host] },
});
const { db } = server.database;

const push = { channel: "push" as const, kinds: ["needs_input" as const] };
const webhook = (url: string) => ({
  channel: "webhook" as const,
  kinds: ["done" as const],
  target: { url, secret: "a secret of sixteen" },
});

describe("rules", () => {
  it("replace the earlier ones, and keep their ids and targets", async () => {
    const { client, organizationId } = await server.signUp();
    const [rule, other] = await client.user.setNotificationRules.mutate({
      organizationId,
      rules: [webhook("https://example.com/secret-path"), push],
    });
    expect(rule).toEqual({
      id: expect.any(String),
      channel: "webhook",
      target: "example.com",
      kinds: ["done"],
      scope: "mine",
      projectIds: [],
      quietFrom: null,
      quietTo: null,
      timeZone: "UTC",
      afterSeconds: 0,
      showText: false,
    });
    const sealed = () =>
      db
        .selectFrom("notification_rules")
        .select(["id", "sealed"])
        .where("organization_id", "=", organizationId)
        .execute();
    const before = (await sealed()).find(({ id }) => id === rule?.id);
    const quiet = { quietFrom: "22:00", quietTo: "07:30", timeZone: "Europe/Vienna" };
    const rules = [
      { id: rule?.id ?? "", channel: "webhook" as const, kinds: ["needs_input" as const], ...quiet },
    ];
    const changed = await client.user.setNotificationRules.mutate({ organizationId, rules });
    expect(changed).toMatchObject([
      { id: rule?.id, target: "example.com", kinds: ["needs_input"], ...quiet },
    ]);
    expect(await client.user.listNotificationRules.query({ organizationId })).toEqual(changed);
    expect(await sealed()).toEqual([before]);
    expect(before?.sealed).not.toContain("secret-path");
    expect(other?.channel).toBe("push");
  });

  it("are the caller's own", async () => {
    const [ada, bob] = [await server.signUp(), await server.signUp()];
    const { organizationId } = ada;
    await addMember(server, organizationId, bob, "admin");
    const [rule] = await ada.client.user.setNotificationRules.mutate({ organizationId, rules: [push] });
    const id = rule?.id ?? "";
    const taken = bob.client.user.setNotificationRules.mutate({ organizationId, rules: [{ ...push, id }] });
    expect(await failure(taken)).toMatchObject({ code: "NOT_FOUND" });
    const tested = bob.client.user.testNotification.mutate({ organizationId, ruleId: id });
    expect(await failure(tested)).toMatchObject({ code: "NOT_FOUND" });
    await bob.client.user.setNotificationRules.mutate({ organizationId, rules: [] });
    expect(await ada.client.user.listNotificationRules.query({ organizationId })).toHaveLength(1);
  });

  it.each([
    "http://example.com/",
    "https://127.0.0.1/",
    "https://[::1]/",
    "https://169.254.169.254/latest",
    "https://user:password@example.com/",
  ])("send nothing to %s", async (url) => {
    const { client, organizationId } = await server.signUp();
    for (const rule of [webhook(url), { ...webhook(url), channel: "ntfy" as const, target: { url } }]) {
      const call = client.user.setNotificationRules.mutate({ organizationId, rules: [rule] });
      expect(await failure(call)).toMatchObject({ code: "BAD_REQUEST", reason: "base_url_refused" });
    }
  });

  it("are refused with half of the quiet hours, without a target, or of an unknown zone", async () => {
    const { client, organizationId } = await server.signUp();
    for (const rule of [
      { ...push, quietFrom: "22:00" },
      { ...push, quietFrom: "22:00", quietTo: "22:00" },
      { ...push, timeZone: "Mars/Olympus" },
      { channel: "ntfy" as const, kinds: ["needs_input" as const] },
    ]) {
      const call = client.user.setNotificationRules.mutate({ organizationId, rules: [rule] });
      expect(await failure(call)).toMatchObject({ code: "BAD_REQUEST" });
    }
  });
});

describe("push subscriptions", () => {
  it("are renewed by the same endpoint, sealed, and end when asked", async () => {
    const { client, user } = await server.signUp();
    const { subscription } = createBrowser(receiver);
    const first = await client.user.subscribePush.mutate(subscription);
    const again = await client.user.subscribePush.mutate({ ...subscription, label: "Renamed" });
    expect(again).toMatchObject({ id: first.id, label: "Renamed", current: true });
    const row = await db
      .selectFrom("push_subscriptions")
      .selectAll()
      .where("user_id", "=", user.id)
      .executeTakeFirstOrThrow();
    expect(JSON.stringify(row)).not.toContain(subscription.endpoint);
    const listed = await client.user.listPushSubscriptions.query();
    expect(listed).toEqual({
      publicKey: expect.stringMatching(/^[\w-]{87}$/),
      subscriptions: [again],
    });
    expect((await client.user.listPushSubscriptions.query()).publicKey).toBe(listed.publicKey);
    await client.user.unsubscribePush.mutate({ id: first.id });
    const gone = client.user.unsubscribePush.mutate({ id: first.id });
    expect(await failure(gone)).toMatchObject({ code: "NOT_FOUND" });
  });

  it.each([
    "https://example.com/push",
    "https://fcm.googleapis.com.example.com/fcm/send/1",
    "https://fcm.googleapis.com:8443/fcm/send/1",
    "http://fcm.googleapis.com/fcm/send/1",
    "https://user@fcm.googleapis.com/fcm/send/1",
    "http://127.0.0.1:1/push",
  ])("are refused at %s", async (endpoint) => {
    const { client } = await server.signUp();
    const call = client.user.subscribePush.mutate({ ...createBrowser(receiver).subscription, endpoint });
    expect(await failure(call)).toMatchObject({ code: "BAD_REQUEST", reason: "push_host_refused" });
  });

  it("are at most twenty of a user", async () => {
    const { client } = await server.signUp();
    for (let count = 0; count < 20; count++)
      await client.user.subscribePush.mutate(createBrowser(receiver).subscription);
    const call = client.user.subscribePush.mutate(createBrowser(receiver).subscription);
    expect(await failure(call)).toMatchObject({ code: "PRECONDITION_FAILED", reason: "quota_exceeded" });
  });
});

it("notifications are kept seven days, and silent subscriptions 90", async () => {
  const { client, organizationId, user } = await server.signUp();
  const [rule] = await client.user.setNotificationRules.mutate({ organizationId, rules: [push] });
  for (const days of [6, 8])
    await sql`insert into notification_outbox
        (organization_id, id, user_id, rule_id, channel, kind, dedupe, delivery_state, created_at)
      values (${organizationId}, ${newId()}, ${user.id}, ${rule?.id}, 'push', 'test', ${`${days} days`}, 'sent',
        now() - ${days} * interval '1 day')`.execute(db);
  const [recent, silent] = [createBrowser(receiver), createBrowser(receiver)];
  const { id } = await client.user.subscribePush.mutate(recent.subscription);
  await client.user.subscribePush.mutate(silent.subscription);
  await sql`update push_subscriptions set last_used_at = now() - interval '91 days'
    where user_id = ${user.id} and id <> ${id}`.execute(db);
  await clean(db);
  expect(await client.user.listNotificationDeliveries.query({ organizationId })).toHaveLength(1);
  const { subscriptions } = await client.user.listPushSubscriptions.query();
  expect(subscriptions.map((one) => one.id)).toEqual([id]);
});
