import {
  projectDeleteSecretInput,
  projectListSecretsInput,
  projectRevealSecretInput,
  projectSecret,
  projectSetSecretInput,
  revealedSecret,
  success,
} from "@grove/schemas";
import type { TRPCRouterRecord } from "@trpc/server";
import * as z from "zod";
import { output } from "../../trpc/output";
import { memberProcedure, memberSessionProcedure } from "../../trpc/procedures";
import { deleteSecret, listSecrets, revealSecret, setSecret } from "../secrets";

/**
 * Secrets of a project: the environment of its agent sessions. Values are encrypted, and only revealSecret shows them.
 */
export const secretProcedures = {
  /** The secrets' names and times, by name; never a value. */
  listSecrets: memberProcedure(projectListSecretsInput)
    .output(output(z.array(projectSecret)))
    .query(({ ctx, input }) => listSecrets(ctx.services, input)),

  /**
   * Sets a secret's value, replacing an old one. PRECONDITION_FAILED `too_many_secrets` beyond 100 in a project, or
   * `quota_exceeded`.
   */
  setSecret: memberProcedure(projectSetSecretInput, "admin")
    .output(output(success))
    .mutation(({ ctx, input }) => setSecret(ctx.services, ctx.principal, input)),

  /** Deletes a secret. NOT_FOUND if there is none. */
  deleteSecret: memberProcedure(projectDeleteSecretInput, "admin")
    .output(output(success))
    .mutation(({ ctx, input }) => deleteSecret(ctx.services, ctx.principal, input)),

  /** Returns the value in clear text, for a session of an org-admin. Reading it is audited. */
  revealSecret: memberSessionProcedure(projectRevealSecretInput, "admin")
    .output(output(revealedSecret))
    .mutation(({ ctx, input }) => revealSecret(ctx.services, ctx.principal, input)),
} satisfies TRPCRouterRecord;
