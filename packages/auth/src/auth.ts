import type { Database, Log } from "@grove/db";
import type { Kysely } from "kysely";
import { type ApiKeyRow, apiKeyLookup } from "./principals/apiKey";
import { PrincipalCache } from "./principals/cache";
import { type DeviceRow, deviceLookup } from "./principals/device";
import type { Lookup } from "./principals/lookup";
import { createLucia } from "./principals/sessionStore";

export interface AuthOptions {
  db: Kysely<Database>;
  /** Whether cookies travel over TLS only; true when the public URL is https. */
  secureCookies: boolean;
  /** Logs errors that no caller gets. Compatible with pino's loggers. */
  log: Log;
}

/** The dependencies of sign-in and of credential lookup; one per process. */
export interface Auth {
  readonly db: Kysely<Database>;
  readonly log: Log;
  readonly lucia: ReturnType<typeof createLucia>;
  /** The name of the cookie that a browser keeps its session's secret in. */
  readonly sessionCookieName: string;
  readonly apiKeys: Lookup<ApiKeyRow>;
  readonly devices: Lookup<DeviceRow>;
  readonly principalCache: PrincipalCache;
}

export const createAuth = ({ db, secureCookies, log }: AuthOptions): Auth => {
  const lucia = createLucia(db, secureCookies);
  return {
    db,
    log,
    lucia,
    sessionCookieName: lucia.sessionCookieName,
    apiKeys: apiKeyLookup(db),
    devices: deviceLookup(db),
    principalCache: new PrincipalCache(),
  };
};
