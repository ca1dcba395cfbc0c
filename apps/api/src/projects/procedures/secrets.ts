import { GroveError, recordAudit } from "@grove/auth";
import type { Database } from "@grove/db";
import {
  projectDeleteSecretInput,
  projectListSecretsInput,
  projectRevealSecretInput,
  projectSecret,
  projectSetSecretInput,
  revealedSecret,
  secretLimits,
  success,
} from "@grove/schemas";
import type { TRPCRouterRecord } from "@trpc/server";
import { type Kysely, sql, type Transaction } from "kysely";
import * as z from "zod";
import { secretIdentity } from "../../secrets/identities";
import { output } from "../../trpc/output";
import { memberProcedure, memberSessionProcedure } from "../../trpc/procedures";
import { projectNotFound, projectSecretColumns, projectSecretNotFound, toProjectSecret } from "../row";

interface OfProject {
  organizationId: string;
  projectId: string;
}

/**
 * Secrets of a project: the environment of its agent sessions. Values are encrypted, and only revealSecret shows them.
 */
export const secretProcedures = {
  /** The secrets' names and times, by name; never a value. */
  listSecrets: memberProcedure(projectListSecretsInput)
    .output(output(z.array(projectSecret)))
    .query(async ({ ctx, input }) => {
      const { db } = ctx.services.database;
      await requireProject(db, input);
      const rows = await secretsOf(db, input)
        .select(projectSecretColumns)
        .orderBy(sql`key collate "C"`)
        .execute();
      return rows.map(toProjectSecret);
    }),

  /**
   * Sets a secret's value, replacing an old one. PRECONDITION_FAILED `too_many_secrets` beyond 100 in a project, or
   * `quota_exceeded`.
   */
  setSecret: memberProcedure(projectSetSecretInput, "admin")
    .output(output(success))
    .mutation(({ ctx, input }) =>
      ctx.services.database.db.transaction().execute(async (trx) => {
        await requireProject(trx, input, "lock");
        const row = { organization_id: input.organizationId, project_id: input.projectId, key: input.key };
        const sealed = ctx.services.vault.seal(input.value, secretIdentity(row));
        await ctx.services.quotas.take(trx, "secretBytes", input.organizationId, sealed.length);
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
        await audit(trx, ctx.principal, "project.setSecret", input);
        return { success: true as const };
      }),
    ),

  /** Deletes a secret. NOT_FOUND if there is none. */
  deleteSecret: memberProcedure(projectDeleteSecretInput, "admin")
    .output(output(success))
    .mutation(({ ctx, input }) =>
      ctx.services.database.db.transaction().execute(async (trx) => {
        const deleted = await trx
          .deleteFrom("project_secrets")
          .where("organization_id", "=", input.organizationId)
          .where("project_id", "=", input.projectId)
          .where("key", "=", input.key)
          .returning("key")
          .executeTakeFirst();
        if (!deleted) throw projectSecretNotFound(input);
        await audit(trx, ctx.principal, "project.deleteSecret", input);
        return { success: true as const };
      }),
    ),

  /** Returns the value in clear text, for a session of an org-admin. Reading it is audited. */
  revealSecret: memberSessionProcedure(projectRevealSecretInput, "admin")
    .output(output(revealedSecret))
    .mutation(({ ctx, input }) =>
      ctx.services.database.db.transaction().execute(async (trx) => {
        const row = await secretsOf(trx, input).where("key", "=", input.key).selectAll().executeTakeFirst();
        if (!row) throw projectSecretNotFound(input);
        await audit(trx, ctx.principal, "project.revealSecret", input);
        return { key: row.key, value: ctx.services.vault.open(row.sealed, secretIdentity(row)) };
      }),
    ),
} satisfies TRPCRouterRecord;

const secretsOf = (db: Kysely<Database>, { organizationId, projectId }: OfProject) =>
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
  { organizationId, projectId }: OfProject,
  lock?: "lock",
): Promise<void> {
  let query = db
    .selectFrom("projects")
    .select("id")
    .where("organization_id", "=", organizationId)
    .where("id", "=", projectId);
  if (lock) query = query.forNoKeyUpdate();
  if (!(await query.executeTakeFirst())) throw projectNotFound(projectId);
}

const audit = (
  trx: Transaction<Database>,
  principal: Parameters<typeof recordAudit>[1],
  action: string,
  { organizationId, projectId, key }: OfProject & { key: string },
) =>
  recordAudit(trx, principal, {
    organizationId,
    action,
    target: { type: "project", id: projectId },
    metadata: { key },
  });
