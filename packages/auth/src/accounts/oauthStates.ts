import { sql } from "kysely";
import type { Auth } from "../auth";
import { GroveError } from "../errors";
import { createToken, hashSecret } from "../secrets/secrets";

/** Longer than anyone takes at a provider's consent page. */
const lifetime = sql<string>`now() + interval '10 minutes'`;

export interface OAuthStart {
  /** The state for the provider, which passes it to the callback. */
  state: string;
  /** For the browser's cookie. It is also the PKCE code verifier (RFC 7636, section 4.1). */
  browserSecret: string;
}

/** Begins a sign-in through a provider. The callback must present both secrets, and may do so once. */
export async function startOAuth(auth: Auth, redirectTo: string | undefined): Promise<OAuthStart> {
  const state = createToken();
  const browser = createToken();
  await auth.db
    .insertInto("oauth_states")
    .values({
      state_hash: state.hash,
      browser_hash: browser.hash,
      redirect_to: redirectTo ?? null,
      expires_at: lifetime,
    })
    .execute();
  return { state: state.token, browserSecret: browser.token };
}

/**
 * Finishes a sign-in that `startOAuth` began, in the same browser.
 * @throws {GroveError} BAD_REQUEST `token_invalid`
 */
export async function finishOAuth(
  auth: Auth,
  { state, browserSecret }: OAuthStart,
): Promise<{ redirectTo: string | null }> {
  const row = await auth.db
    .deleteFrom("oauth_states")
    .where("state_hash", "=", hashSecret(state))
    .where("browser_hash", "=", hashSecret(browserSecret))
    .where("expires_at", ">", sql<string>`now()`)
    .returning("redirect_to")
    .executeTakeFirst();
  if (row) return { redirectTo: row.redirect_to };
  throw new GroveError(
    "BAD_REQUEST",
    "This sign-in was started in another browser, was already completed, or took too long. Start again.",
    { reason: "token_invalid" },
  );
}
