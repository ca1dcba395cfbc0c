import { GroveError, recordAudit, type SessionPrincipal, type UserPrincipal } from "@grove/auth";
import type { Database } from "@grove/db";
import {
  type ProjectDeleteSecretInput,
  type ProjectListSecretsInput,
  type ProjectRevealSecretInput,
  type ProjectSetSecretInput,
  type Success,
  secretLimits,
} from "@grove/schemas";
import { type Kysely, sql, type Transaction } from "kysely";
import { notFound } from "../lib/notFound";
import { secretIdentity } from "../secrets/identities";
import type { Services } from "../services";
import { projectSecretColumns, projectSecretNotFound, toProjectSecret } from "./row";

interface ProjectKey {
  organizationId: string;
  projectId: string;
}

/**
 * Reads the names and times of a project's secrets.
 * @throws {GroveError} NOT_FOUND
 */
export async function listSecrets({ database }: Pick<Services, "database">, input: ProjectListSecretsInput) {
  const { db } = database;
  await requireProject(db, input);
  const rows = await secretsOf(db, input)
    .select(projectSecretColumns)
    .orderBy(sql`key collate "C"`)
    .execute();
  return rows.map(toProjectSecret);
}

/**
 * Stores a secret, encrypted.
 * @throws {GroveError} NOT_FOUND; PRECONDITION_FAILED `too_many_secrets` or `quota_exceeded`
 */
export function setSecret(
  { database, quotas, vault }: Pick<Services, "database" | "quotas" | "vault">,
  principal: UserPrincipal,
  input: ProjectSetSecretInput,
): Promise<Success> {
  return database.db.transaction().execute(async (trx) => {
    await requireProject(trx, input, "lock");
    const row = { organization_id: input.organizationId, project_id: input.projectId, key: input.key };
    const sealed = vault.seal(input.value, secretIdentity(row));
    await quotas.take(trx, "secretBytes", input.organizationId, sealed.length);
    await trx
      .insertInto("project_secrets")
      .values({ ...row, sealed })
      .onConflict((conflict) =>
        conflict
          .columns(["organization_id", "project_id", "key"])
          .doUpdateSet({ sealed, updated_at: sql<string>`now()` }),
      )
      .execute();
    const { count } = await secretsOf(trx, input)
      .select((eb) => eb.fn.countAll<string>().as("count"))
      .executeTakeFirstOrThrow();
    if (Number(count) > secretLimits.perProject)
      throw new GroveError(
        "PRECONDITION_FAILED",
        `A project has at most ${secretLimits.perProject} secrets. Delete one that is not needed.`,
        { reason: "too_many_secrets" },
      );
    await audit(trx, principal, "project.setSecret", input);
    return { success: true as const };
  });
}

/**
 * Deletes a secret.
 * @throws {GroveError} NOT_FOUND
 */
export function deleteSecret(
  { database }: Pick<Services, "database">,
  principal: UserPrincipal,
  input: ProjectDeleteSecretInput,
): Promise<Success> {
  return database.db.transaction().execute(async (trx) => {
    const deleted = await trx
      .deleteFrom("project_secrets")
      .where("organization_id", "=", input.organizationId)
      .where("project_id", "=", input.projectId)
      .where("key", "=", input.key)
      .returning("key")
      .executeTakeFirst();
    if (!deleted) throw projectSecretNotFound(input);
    await audit(trx, principal, "project.deleteSecret", input);
    return { success: true as const };
  });
}

/**
 * Decrypts a secret.
 * @throws {GroveError} NOT_FOUND
 */
export function revealSecret(
  { database, vault }: Pick<Services, "database" | "vault">,
  principal: SessionPrincipal,
  input: ProjectRevealSecretInput,
) {
  return database.db.transaction().execute(async (trx) => {
    const row = await secretsOf(trx, input).where("key", "=", input.key).selectAll().executeTakeFirst();
    if (!row) throw projectSecretNotFound(input);
    await audit(trx, principal, "project.revealSecret", input);
    return { key: row.key, value: vault.open(row.sealed, secretIdentity(row)) };
  });
}

const secretsOf = (db: Kysely<Database>, { organizationId, projectId }: ProjectKey) =>
  db
    .selectFrom("project_secrets")
    .where("organization_id", "=", organizationId)
    .where("project_id", "=", projectId);

/**
 * With `lock`, only one caller at a time can count the project's secrets.
 * @throws {GroveError} NOT_FOUND
 */
async function requireProject(
  db: Kysely<Database>,
  { organizationId, projectId }: ProjectKey,
  lock?: "lock",
): Promise<void> {
  let query = db
    .selectFrom("projects")
    .select("id")
    .where("organization_id", "=", organizationId)
    .where("id", "=", projectId);
  if (lock) query = query.forNoKeyUpdate();
  if (!(await query.executeTakeFirst())) throw notFound("project", projectId);
}

const audit = (
  trx: Transaction<Database>,
  principal: Parameters<typeof recordAudit>[1],
  action: string,
  { organizationId, projectId, key }: ProjectKey & { key: string },
) =>
  recordAudit(trx, principal, {
    organizationId,
    action,
    target: { type: "project", id: projectId },
    metadata: { key },
  });
