import * as z from "zod";
import { CredentialsError } from "./errors";

/** The credentials of a connection, which are stored encrypted. */
export const credentials = z.discriminatedUnion("type", [
  z.object({ type: z.literal("token"), token: z.string(), email: z.string().optional() }),
  z.object({
    type: z.literal("app"),
    appId: z.string(),
    installationId: z.string(),
    privateKey: z.string(),
  }),
  z.object({
    type: z.literal("oauth"),
    accessToken: z.string(),
    refreshToken: z.string().optional(),
    /** Milliseconds since 1970. */
    expiresAt: z.number().optional(),
    /** For Jira Cloud: the site that the connection uses, of those that the grant covers. */
    site: z.object({ id: z.string(), url: z.string() }).optional(),
  }),
]);
export type Credentials = z.infer<typeof credentials>;
export type OAuthCredentials = Extract<Credentials, { type: "oauth" }>;

/** The parts of the credentials that must never be shown. */
export const secretsIn = (given: Credentials): string[] => {
  if (given.type === "token") return [given.token];
  if (given.type === "app") return [given.privateKey];
  return [given.accessToken, ...(given.refreshToken === undefined ? [] : [given.refreshToken])];
};

/** The credentials in the input of integration.connect. */
export interface GivenCredentials {
  token?: string;
  email?: string;
  app?: { appId: string; installationId: string; privateKey: string };
}

/** The credentials that a provider accepts besides OAuth tokens. */
export interface Takes {
  /** The token's name in the provider's documentation. */
  token: string;
  /** Requires the e-mail address of the token's owner. */
  email?: boolean;
  app?: boolean;
}

/**
 * Reads the given credentials as those that this provider accepts.
 * @throws {CredentialsError} naming what is missing or not accepted
 */
export function readCredentials(title: string, takes: Takes, given: GivenCredentials): Credentials {
  const { token, email, app } = given;
  const wanted = `${title} takes token (${takes.token})${takes.email ? " and email" : ""}${takes.app ? ", or app" : ""}`;
  if (token !== undefined && app !== undefined)
    throw new CredentialsError(`${wanted}; both token and app were given.`);
  if (app !== undefined) {
    if (!takes.app) throw new CredentialsError(`${wanted}; app was given.`);
    return { type: "app", ...app };
  }
  if (token === undefined) throw new CredentialsError(`${wanted}; there is no token.`);
  if (takes.email && email === undefined) throw new CredentialsError(`${wanted}; there is no email.`);
  if (!takes.email && email !== undefined) throw new CredentialsError(`${wanted}; email was given.`);
  return { type: "token", token, ...(email !== undefined && { email }) };
}
