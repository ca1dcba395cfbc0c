import { createHmac } from "node:crypto";
import { newId } from "@grove/db";
import { slackToken, useProviders } from "@grove/integrations/testing";
import { beforeEach, expect, it } from "vitest";
import { type Person, useTestServer } from "../testing/server";
import { asked, startSession, useReceiver } from "./testing";

const receiver = await useReceiver();
const providers = await useProviders();
const server = await useTestServer({
  publicUrl: "https://grove.example.com",
  integrations: {
    ...providers.options,
    privateHosts: [...(providers.options.privateHosts ?? []), receiver.host],
  },
});

const secret = "a secret of sixteen";

/** A user whose agent requests permission, with a rule for this channel. */
async function notified(rule: object) {
  const ada = await server.signUp();
  await ada.client.user.setNotificationRules.mutate({
    organizationId: ada.organizationId,
    rules: [{ kinds: ["needs_input"], ...rule } as never],
  });
  await (await startSession(server, ada)).reportRequests(asked());
  return ada;
}

const last = async ({ client, organizationId }: Person) =>
  (await client.user.listNotificationDeliveries.query({ organizationId }))[0];
const untilState = (person: Person, state: string) =>
  expect.poll(async () => (await last(person))?.state, { timeout: 20_000 }).toBe(state);

beforeEach(() => {
  receiver.status = () => 200;
  receiver.hangsUp = () => false;
});

it("signs what it sends to a webhook", async () => {
  const path = `/hook/${newId()}?for=grove`;
  const ada = await notified({ channel: "webhook", target: { url: `${receiver.url}${path}`, secret } });
  await untilState(ada, "sent");
  const [request] = receiver.at(path);
  const body = `${request?.body}`;
  expect(request?.headers["x-grove-signature"]).toBe(
    `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`,
  );
  expect(JSON.parse(body)).toMatchObject({ kind: "needs_input", title: "claude needs input in login-form" });
  expect(body).not.toContain("hunter2");
});

it("publishes to a topic of ntfy, below any path", async () => {
  const base = `/ntfy/${newId()}`;
  const ada = await notified({ channel: "ntfy", target: { url: `${receiver.url}${base}/my%20topic` } });
  await untilState(ada, "sent");
  expect(receiver.at(base).map(({ body }) => JSON.parse(String(body)))).toEqual([
    {
      topic: "my topic",
      title: "claude needs input in login-form",
      message: "claude needs input in login-form",
      click: expect.stringMatching(/^https:\/\/grove\.example\.com\/o\/.+\/requests\//),
    },
  ]);
});

it("repeats a webhook whose answer was lost, with the same id", async () => {
  const path = `/hook/${newId()}`;
  receiver.hangsUp = (at) => at === path;
  const ada = await notified({ channel: "webhook", target: { url: `${receiver.url}${path}`, secret } });
  await expect.poll(() => last(ada)).toMatchObject({ state: "due", error: expect.any(String) });
  receiver.hangsUp = () => false;
  await untilState(ada, "sent");
  const ids = receiver.at(path).map(({ body }) => JSON.parse(String(body)).id);
  expect(ids).toEqual([ids[0], ids[0]]);
});

it("does not repeat what a topic of ntfy may have, and repeats what has not arrived", async () => {
  const [lost, busy] = [`/ntfy/${newId()}`, `/hook/${newId()}`];
  receiver.hangsUp = (path) => path === lost;
  receiver.status = (path) => (path === busy ? 503 : 200);
  const ada = await notified({ channel: "ntfy", target: { url: `${receiver.url}${lost}/topic` } });
  await untilState(ada, "unknown");
  const bob = await notified({ channel: "webhook", target: { url: `${receiver.url}${busy}`, secret } });
  await expect.poll(() => last(bob)).toMatchObject({ state: "due", error: "status 503" });
});

it("follows no redirect, and ends at an answer that it is refused", async () => {
  const path = `/hook/${newId()}`;
  receiver.status = () => 403;
  const ada = await notified({ channel: "webhook", target: { url: `${receiver.url}${path}`, secret } });
  await untilState(ada, "failed");
  expect(receiver.at(path)).toHaveLength(1);
});

it("sends to a channel of a messenger", async () => {
  const ada = await server.signUp();
  const { organizationId } = ada;
  const { id: connectionId } = await ada.client.integration.connect.mutate({
    organizationId,
    provider: "slack",
    token: slackToken,
  });
  const [channel] = await ada.client.integration.messenger.listChannels.query({ organizationId });
  const [rule] = await ada.client.user.setNotificationRules.mutate({
    organizationId,
    rules: [
      { channel: "messenger", kinds: ["needs_input"], target: { connectionId, channel: channel?.id ?? "" } },
    ],
  });
  await ada.client.user.testNotification.mutate({ organizationId, ruleId: rule?.id ?? "" });
  await untilState(ada, "sent");
});
