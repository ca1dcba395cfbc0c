import { createToken, GroveError, hashSecret, requireMembership, type SessionPrincipal } from "@grove/auth";
import type { IntegrationOAuthStateTable } from "@grove/db";
import { type Access, ProviderError } from "@grove/integrations";
import type { Connection, IntegrationProvider } from "@grove/schemas";
import { type Selectable, sql } from "kysely";
import { lifetimes } from "../lib/lifetimes";
import { oauthStateIdentity } from "../secrets/identities";
import type { Services } from "../services";
import { connect } from "./connect";
import { toGroveError } from "./failures";
import { requirePublicUrl } from "./webhooks";

/** How long a user may take on the provider's consent page. */
const lifetime = sql<string>`now() + ${lifetimes.oauthState}`;

const redirectUri = ({ config }: Pick<Services, "config">) =>
  new URL("/api/integrations/callback", requirePublicUrl(config.publicUrl)).href;

/**
 * Begins to connect an account by OAuth. The callback must come to the same session, and only once. An earlier
 * authorization of that session at the provider becomes invalid.
 * @throws {GroveError} PRECONDITION_FAILED `oauth_not_configured` or `public_url_required`
 */
export async function beginAuthorization(
  services: Services,
  { sessionId }: SessionPrincipal,
  organizationId: string,
  provider: IntegrationProvider,
): Promise<string> {
  const { integrations, vault } = services;
  const { title } = integrations.provider(provider);
  if (!integrations.hasOAuth(provider))
    throw new GroveError(
      "PRECONDITION_FAILED",
      `This service has no OAuth app at ${title}. Connect with a token (integration.connect), or ask its operator.`,
      { reason: "oauth_not_configured" },
    );
  const { token: state, hash } = createToken();
  const { token: codeVerifier } = createToken();
  const url = integrations.authorizationUrl(provider, {
    redirectUri: redirectUri(services),
    state,
    codeVerifier,
  });
  await services.database.db.transaction().execute(async (trx) => {
    await trx
      .deleteFrom("integration_oauth_states")
      .where("organization_id", "=", organizationId)
      .where("session_id", "=", sessionId)
      .where("provider", "=", provider)
      .execute();
    await trx
      .insertInto("integration_oauth_states")
      .values({
        state_hash: hash,
        session_id: sessionId,
        organization_id: organizationId,
        provider,
        sealed_verifier: vault.seal(codeVerifier, oauthStateIdentity(hash)),
        expires_at: lifetime,
      })
      .execute();
  });
  return url;
}

/** An authorization that was taken by its callback, and cannot be taken again. */
export type Begun = Selectable<IntegrationOAuthStateTable>;

/**
 * Takes what {@link beginAuthorization} began, in the same session.
 * @throws {GroveError} BAD_REQUEST `token_invalid` for a state that is unknown or no longer valid
 */
export async function takeAuthorization(
  { database }: Pick<Services, "database">,
  principal: SessionPrincipal,
  state: string,
): Promise<Begun> {
  const begun = await database.db
    .deleteFrom("integration_oauth_states")
    .where("state_hash", "=", hashSecret(state))
    .where("session_id", "=", principal.sessionId)
    .where("expires_at", ">", sql<string>`now()`)
    .returningAll()
    .executeTakeFirst();
  if (!begun)
    throw new GroveError(
      "BAD_REQUEST",
      "This authorization was started in another session, was already completed, or took too long. Start again.",
      { reason: "token_invalid" },
    );
  return begun;
}

/** The query that a provider's page sends a browser back with. */
interface Returned {
  state: string;
  code?: string;
  error?: string;
}

/**
 * Finishes what {@link takeAuthorization} took. The session's user must still be an admin.
 * @throws {GroveError} BAD_REQUEST `oauth_failed` when the person or the provider refuses; FORBIDDEN `not_a_member` or
 * `role_required`; what {@link connect} throws
 */
export async function finishAuthorization(
  services: Services,
  principal: SessionPrincipal,
  begun: Begun,
  { state, code, error }: Returned,
): Promise<Connection> {
  const { integrations, vault } = services;
  const { organization_id: organizationId, provider } = begun;
  requireMembership(principal, organizationId, "admin");
  const { title } = integrations.provider(provider);
  const refused = (cause: unknown) =>
    new GroveError("BAD_REQUEST", `${title} refused the connection. Begin again.`, {
      reason: "oauth_failed",
      cause,
    });
  if (code === undefined) throw refused(error);
  const authorization = {
    redirectUri: redirectUri(services),
    state,
    codeVerifier: vault.open(begun.sealed_verifier, oauthStateIdentity(begun.state_hash)),
  };
  const access: Access = await integrations.exchangeCode(provider, authorization, code).catch((cause) => {
    if (!(cause instanceof ProviderError)) throw cause;
    throw cause.failure === "refused" ? refused(cause) : toGroveError(title, cause);
  });
  return connect(services, principal, organizationId, access, "integration.authorizeUrl");
}
