import { generateVaultKey, parseVaultKeys, Vault } from "@grove/auth";
import { newId } from "@grove/db";
import { afterEach, expect, it } from "vitest";
import { projectFields } from "../testing/fixtures";
import { failure, useTestServer } from "../testing/server";
import { CredentialsKeyError, openVaultOf } from "./credentialsKey";
import { connectionIdentity } from "./identities";
import { forgetUnreadable } from "./sealed";

const server = await useTestServer();
const { db } = server.database;
const ada = await server.signUp("Ada");
const { organizationId } = ada;

const keys = [generateVaultKey("old"), generateVaultKey("new")] as const;
const vaultOf = (text: string) => new Vault(parseVaultKeys(text));
const open = (text: string) =>
  openVaultOf(db, { vaultKeys: parseVaultKeys(text), dataDir: "/nowhere" }).then(
    () => "ok",
    (error: unknown) => (error instanceof CredentialsKeyError ? "refused" : error),
  );

/** A connection whose credentials are sealed with this key. */
async function connection(key: string) {
  const row = { organization_id: organizationId, id: newId() };
  const provider = { kind: "codehost", provider: "github", account_id: row.id, account_name: "a" } as const;
  const sealed = vaultOf(key).seal("credentials", connectionIdentity(row));
  await db
    .insertInto("integration_connections")
    .values({ ...row, ...provider, sealed })
    .execute();
  return row.id;
}

afterEach(async () => {
  for (const table of ["integration_connections", "project_secrets"] as const)
    await db.deleteFrom(table).execute();
});

it("every key that sealed something must be present and correct", async () => {
  const [old, fresh] = keys;
  expect(await open(fresh)).toBe("ok");
  await connection(old);
  await connection(fresh);
  expect(await open(`${fresh},${old}`)).toBe("ok");
  expect(await open(fresh)).toBe("refused");
  expect(await open(`${fresh},${generateVaultKey("old")}`)).toBe("refused");
});

it("secrets that no key opens are forgotten, and nothing else", async () => {
  const [old, fresh] = keys;
  await connection(old);
  const kept = await connection(fresh);
  expect(await db.transaction().execute((trx) => forgetUnreadable(trx, vaultOf(fresh)))).toBe(1);
  const left = await db.selectFrom("integration_connections").select("id").execute();
  expect(left).toEqual([{ id: kept }]);
  const events = await ada.client.organization.listAuditEvents.query({
    organizationId,
    action: "secrets.forgetUnreadable",
  });
  expect(events).toMatchObject([{ actorKind: "system", actorId: null, metadata: { count: 1 } }]);
});

it("a secret that cannot be opened is not an internal error", async () => {
  const project = await ada.client.project.create.mutate({ organizationId, ...projectFields() });
  const secret = { organizationId, projectId: project.id, key: "TOKEN" };
  await ada.client.project.setSecret.mutate({ ...secret, value: "hunter2" });
  await db
    .updateTable("project_secrets")
    .set({ sealed: vaultOf(generateVaultKey("test")).seal("x", "y") })
    .where("organization_id", "=", organizationId)
    .where("project_id", "=", project.id)
    .execute();
  expect(await failure(ada.client.project.revealSecret.mutate(secret))).toMatchObject({
    code: "PRECONDITION_FAILED",
    reason: "secret_unreadable",
  });
});
