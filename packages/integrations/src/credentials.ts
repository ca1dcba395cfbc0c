import * as z from "zod";
import { CredentialsError } from "./errors";

/** What is kept, encrypted, of a connection. */
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
    /** Of Jira Cloud: which of the sites that the grant is for. */
    site: z.object({ id: z.string(), url: z.string() }).optional(),
  }),
]);
export type Credentials = z.infer<typeof credentials>;
export type OAuthCredentials = Extract<Credentials, { type: "oauth" }>;

/** What of them must never be seen. */
export const secretsIn = (given: Credentials): string[] => {
  if (given.type === "token") return [given.token];
  if (given.type === "app") return [given.privateKey];
  return [given.accessToken, ...(given.refreshToken === undefined ? [] : [given.refreshToken])];
};

/** What integration.connect takes. */
export interface GivenCredentials {
  token?: string;
  email?: string;
  app?: { appId: string; installationId: string; privateKey: string };
}

/** What a provider takes beside OAuth's tokens. */
export interface Takes {
  /** How its documentation calls the token. */
  token: string;
  /** Whose token it is must be said. */
  email?: boolean;
  app?: boolean;
}

/**
 * Reads what was given as what this provider takes.
 * @throws {CredentialsError} naming what is missing or too much
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
