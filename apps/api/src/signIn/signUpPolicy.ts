import { type Admit, GroveError } from "@grove/auth";
import type { Database } from "@grove/db";
import { sql, type Transaction } from "kysely";
import { acceptInvitation } from "../organizations/acceptInvitation";
import type { Config } from "../services";

/**
 * Checks SIGN_UP for a sign-up with a password; an invitation is accepted along with it.
 * @throws {GroveError} FORBIDDEN `sign_up_closed`, `invitation_required`; later what `acceptInvitation` throws
 */
export function admitWithToken(config: Pick<Config, "signUp" | "smtp">, invitationToken?: string): Admit {
  const { signUp } = config;
  if (signUp === "closed") throw signUpClosed();
  if (signUp === "first") return onlyTheFirst;
  if (invitationToken === undefined) {
    if (signUp === "invite") throw invitationRequired();
    return async () => {};
  }
  return async (trx, user) => {
    await acceptInvitation(trx, config, { kind: "user", userId: user.id }, user, { token: invitationToken });
  };
}

/**
 * Checks SIGN_UP for a sign-up through a provider, which has verified the address. Where an invitation is required, an
 * open one to that address suffices, and is accepted.
 * @throws {GroveError} FORBIDDEN `sign_up_closed`, `invitation_required`; only for a new account
 */
export const admitWithAddress =
  (config: Pick<Config, "signUp" | "smtp">): Admit =>
  async (trx, user) => {
    if (config.signUp === "open") return;
    if (config.signUp === "closed") throw signUpClosed();
    if (config.signUp === "first") return onlyTheFirst(trx, user);
    const invited = await trx
      .selectFrom("invitations")
      .select("id")
      .where("email", "=", user.email)
      .where("accepted_at", "is", null)
      .where("revoked_at", "is", null)
      .where("expires_at", ">", sql<string>`now()`)
      .orderBy("created_at")
      .executeTakeFirst();
    if (!invited) throw invitationRequired();
    await acceptInvitation(trx, config, { kind: "user", userId: user.id }, user, invited);
  };

/** Admits the creator of the first account only. */
export async function onlyTheFirst(trx: Transaction<Database>, { id }: { id: string }): Promise<void> {
  // The second of two concurrent sign-ups waits here, and then finds the account of the first.
  await sql`select pg_advisory_xact_lock(hashtext('grove first account'))`.execute(trx);
  const another = await trx.selectFrom("users").select("id").where("id", "<>", id).executeTakeFirst();
  if (another) throw signUpClosed();
}

const signUpClosed = () =>
  new GroveError("FORBIDDEN", "Sign-up is closed. Ask an administrator for an account.", {
    reason: "sign_up_closed",
  });

const invitationRequired = () =>
  new GroveError("FORBIDDEN", "Sign-up is by invitation. Ask a member for one.", {
    reason: "invitation_required",
  });
