import type { Auth, Vault } from "@grove/auth";
import type { GroveDatabase } from "@grove/db";
import type { Integrations, IntegrationsOptions } from "@grove/integrations";
import type { FastifyBaseLogger } from "fastify";
import type { Dispatch } from "./dispatch/dispatch";
import type { SweeperTimes } from "./dispatch/end/sweep";
import type { batchEventReads } from "./events/read";
import type { GitHubConfig } from "./http/github";
import type { defaultLimits, Limits } from "./http/rateLimits";
import type { Disk, DiskOptions } from "./lib/disk";
import type { Mailer, Smtp } from "./lib/mail";
import type { Quotas, Stored } from "./lib/quotas";
import type { Metrics } from "./maintenance/metrics";
import type { Bounds, Callers } from "./trpc/callers";

/** What of the environment a request's handling depends on. */
export interface Config {
  publicUrl?: string;
  webOrigins: string[];
  /** Names under which this service is reached, beside those of loopback and `publicUrl`. */
  allowedHosts?: string[];
  adminEmailDomain?: string;
  /** `first`: closed as soon as there is an account. */
  signUp: "open" | "invite" | "first" | "closed";
  /** How many proxies in front are believed; true: one. */
  trustProxy: boolean | number;
  /** Without it, mails are logged. `service` is the name that mails are signed with. */
  smtp?: Smtp;
  /** Sign-in with GitHub, when there is one. */
  github?: GitHubConfig;
  /** Who presents it may read what this process measures; without it nothing is measured. */
  metricsToken?: string;
  /** With it, this process proves to programs of the same machine that it is Grove; see `http/proof.ts`. */
  proofKey?: string;
  /** How external systems are reached. */
  integrations?: IntegrationsOptions;
  /** Other than the default ones. */
  limits?: typeof defaultLimits;
  /** Times of the sweeper other than the usual ones, for tests of faults. */
  sweeper?: Partial<SweeperTimes>;
  /** What one caller may have in progress, where it is other than the default. */
  bounds?: Partial<Bounds>;
  /** How much of a kind may be stored, where it is other than the default. */
  quotas?: Partial<Record<Stored, number>>;
  /** The disk that is watched, where the database is the embedded one on a disk. */
  disk?: DiskOptions;
  /** How long a stream's caller may leave events unread, where it is other than the default. */
  unreadMs?: number;
}

/** What lives as long as the process; every request's context points to it. */
export interface Services {
  config: Config;
  database: GroveDatabase;
  auth: Auth;
  vault: Vault;
  integrations: Integrations;
  dispatch: Dispatch;
  readEvents: ReturnType<typeof batchEventReads>;
  mailer: Mailer;
  limits: Limits;
  callers: Callers;
  quotas: Quotas;
  disk: Disk;
  metrics?: Metrics | undefined;
  log: FastifyBaseLogger;
  /** Aborted when the process begins to shut down: streams say `drain`, waiting callers are answered. */
  draining: AbortSignal;
}
