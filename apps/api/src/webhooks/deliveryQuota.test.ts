import { createHmac, randomBytes } from "node:crypto";
import { newId } from "@grove/db";
import { gitHubToken, useProviders } from "@grove/integrations/testing";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { insertDelivery } from "../testing/fixtures";
import { type Person, useTestServer } from "../testing/server";

const LIMIT = 300_000;
const providers = await useProviders();
const server = await useTestServer({
  publicUrl: "https://grove.example.com",
  integrations: providers.options,
  quotas: { deliveryBytes: LIMIT },
});
const { db } = server.database;

/** A webhook at GitHub, and a delivery of it with text that does not shrink when it is compressed. */
async function withWebhook({ client, organizationId }: Person) {
  const token = gitHubToken;
  const { id: connectionId } = await client.integration.connect.mutate({
    organizationId,
    provider: "github",
    token,
  });
  const { url } = await client.integration.codehost.createWebhook.mutate({
    organizationId,
    connectionId,
    repoOwner: "Codertocat",
    repoName: "Hello-World",
    events: ["*"],
  });
  const config = [...providers.servers.github.state.hooks.values()].at(-1)?.config as { secret: string };
  return async () => {
    const body = JSON.stringify({ zen: randomBytes(30_000).toString("base64url") });
    const id = newId();
    const response = await fetch(`${server.url}${new URL(url ?? "").pathname}`, {
      method: "POST",
      body,
      headers: {
        "content-type": "application/json",
        "x-github-event": "ping",
        "x-github-delivery": id,
        "x-hub-signature-256": `sha256=${createHmac("sha256", config.secret).update(body).digest("hex")}`,
      },
    });
    const answer = (await response.json()) as { error?: { data: { reason?: string } } };
    return { id, status: response.status, reason: answer.error?.data.reason };
  };
}

const stored = ({ organizationId }: Person) =>
  db
    .selectFrom("integration_events")
    .select(["delivery_id as id", "status", sql<number>`pg_column_size(payload)`.as("bytes")])
    .where("organization_id", "=", organizationId)
    .orderBy("created_at")
    .execute();

it("deletes the oldest settled deliveries of an organization that has reached its quota", async () => {
  const other = await server.signUp("Bob");
  const otherId = await insertDelivery(server, other.organizationId, "processed");
  const ada = await server.signUp("Ada");
  const deliver = await withWebhook(ada);
  const ids: string[] = [];
  for (let n = 0; n < 20; n++) {
    const { id, status } = await deliver();
    expect(status).toBe(202);
    ids.push(id);
    await expect
      .poll(async () => (await stored(ada)).filter((event) => event.status === "pending"))
      .toEqual([]);
  }
  const left = await stored(ada);
  expect(left.map(({ id }) => id)).toEqual(ids.slice(-left.length));
  expect(left.length).toBeGreaterThan(2);
  expect(left.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(LIMIT);
  expect((await stored(other)).map(({ id }) => id)).toEqual([otherId]);
});

it("refuses a delivery while unprocessed deliveries fill the quota", async () => {
  const eve = await server.signUp("Eve");
  const deliver = await withWebhook(eve);
  const waiting = await insertDelivery(server, eve.organizationId);
  await db
    .updateTable("integration_events")
    .set({ run_at: sql`now() + interval '1 hour'`, payload: randomBytes(LIMIT).toString("hex") })
    .where("id", "=", waiting)
    .execute();
  expect(await deliver()).toMatchObject({ status: 412, reason: "quota_exceeded" });
  expect((await stored(eve)).map(({ id }) => id)).toEqual([waiting]);
});
