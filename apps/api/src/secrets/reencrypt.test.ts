import { generateVaultKey, parseVaultKeys, Vault } from "@grove/auth";
import { newId } from "@grove/db";
import { expect, it } from "vitest";
import { projectFields } from "../testing/fixtures";
import { useTestServer } from "../testing/server";
import {
  connectionIdentity,
  notificationRuleIdentity,
  pushKeyIdentity,
  pushSubscriptionIdentity,
  secretIdentity,
  webhookIdentity,
} from "./identities";
import { reencrypt } from "./reencrypt";

const server = await useTestServer();
const ada = await server.signUp("Ada");
const { organizationId } = ada;

it("encrypts all secrets with the new key, after which the old one is not needed", async () => {
  const project = await ada.client.project.create.mutate({ organizationId, ...projectFields() });
  const [oldKey, newKey] = [generateVaultKey("old"), generateVaultKey("new")];
  const before = new Vault(parseVaultKeys(oldKey));
  const rows = Array.from({ length: 120 }, (_, number) => {
    const row = { organization_id: organizationId, project_id: project.id, key: `S_${number}` };
    return { ...row, sealed: before.seal(`value ${number}`, secretIdentity(row)) };
  });
  const { db } = server.database;
  await db.insertInto("project_secrets").values(rows).execute();
  const own = { organization_id: organizationId, id: newId() };
  await db
    .insertInto("integration_connections")
    .values({
      ...own,
      kind: "codehost",
      provider: "github",
      account_id: "1",
      account_name: "octocat",
      sealed: before.seal("credentials", connectionIdentity(own)),
    })
    .execute();
  await db
    .insertInto("integration_webhooks")
    .values({ ...own, connection_id: own.id, events: [], sealed: before.seal("hook", webhookIdentity(own)) })
    .execute();

  await db
    .insertInto("notification_rules")
    .values({
      ...own,
      user_id: ada.user.id,
      channel: "ntfy",
      kinds: ["needs_input"],
      scope: "mine",
      time_zone: "UTC",
      sealed: before.seal("target", notificationRuleIdentity(own)),
    })
    .execute();
  const browser = { id: newId(), user_id: ada.user.id };
  const [session] = await ada.client.user.listSessions.query();
  await db
    .insertInto("push_subscriptions")
    .values({
      ...browser,
      session_id: session?.id ?? "",
      endpoint_hash: "hash",
      label: "Firefox",
      sealed: before.seal("browser", pushSubscriptionIdentity(browser)),
    })
    .execute();
  await db
    .insertInto("push_keys")
    .values({ public_key: "public", sealed: before.seal("private", pushKeyIdentity()) })
    .execute();

  const both = new Vault(parseVaultKeys(`${newKey},${oldKey}`));
  expect(await reencrypt(server.database, both)).toBe(rows.length + 5);
  expect(await reencrypt(server.database, both)).toBe(0);
  const after = new Vault(parseVaultKeys(newKey));
  const values = (await db.selectFrom("project_secrets").selectAll().execute()).map((row) =>
    after.open(row.sealed, secretIdentity(row)),
  );
  expect(values.sort()).toEqual(rows.map((_, number) => `value ${number}`).sort());
  const sealedIn = (
    table:
      | "integration_connections"
      | "integration_webhooks"
      | "notification_rules"
      | "push_keys"
      | "push_subscriptions",
  ) => db.selectFrom(table).select("sealed").executeTakeFirstOrThrow();
  const [connection, webhook] = [
    await sealedIn("integration_connections"),
    await sealedIn("integration_webhooks"),
  ];
  expect(after.open(connection.sealed ?? "", connectionIdentity(own))).toBe("credentials");
  expect(after.open(webhook.sealed ?? "", webhookIdentity(own))).toBe("hook");
  const opened = async (table: Parameters<typeof sealedIn>[0], identity: string) =>
    after.open((await sealedIn(table)).sealed ?? "", identity);
  expect(await opened("notification_rules", notificationRuleIdentity(own))).toBe("target");
  expect(await opened("push_subscriptions", pushSubscriptionIdentity(browser))).toBe("browser");
  expect(await opened("push_keys", pushKeyIdentity())).toBe("private");
  const audits = await ada.client.organization.listAuditEvents.query({
    organizationId,
    action: "secrets.reencrypt",
  });
  expect(audits.every(({ actorKind, actorId }) => actorKind === "system" && actorId === null)).toBe(true);
  expect(audits.map(({ metadata }) => Number(metadata.secrets)).reduce((sum, one) => sum + one)).toBe(
    // Secrets of users are in no organization.
    rows.length + 3,
  );
});
