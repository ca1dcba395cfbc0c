import type { Auth } from "@grove/auth";
import type { GroveDatabase } from "@grove/db";
import type { FastifyBaseLogger } from "fastify";
import type { Presence } from "./dispatch/presence";

/** What of the environment a request's handling depends on. */
export interface Config {
  publicUrl?: string;
  webOrigins: string[];
  adminEmailDomain?: string;
  signUp: "open" | "invite" | "closed";
  trustProxy: boolean;
}

/** What lives as long as the process; every request's context points to it. */
export interface Services {
  config: Config;
  database: GroveDatabase;
  auth: Auth;
  presence: Presence;
  log: FastifyBaseLogger;
  /** Aborted when the process begins to shut down: streams say `drain`, waiting callers are answered. */
  draining: AbortSignal;
}
