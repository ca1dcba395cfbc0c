import type { Auth, Vault } from "@grove/auth";
import type { GroveDatabase } from "@grove/db";
import type { Integrations, IntegrationsOptions } from "@grove/integrations";
import type { FastifyBaseLogger } from "fastify";
import type { batchChunks } from "./agentSessions/append";
import type { PullPollTimes } from "./changes/pulls/pollTimes";
import type { Dispatch } from "./dispatch/dispatch";
import type { batchEventReads } from "./events/batchEventReads";
import type { Lease, LeaseTimes } from "./instance/lease";
import type { Mailer, Smtp } from "./lib/mailer";
import type { Bounds, CallerLimits } from "./limits/callerLimits";
import type { Disk, DiskOptions } from "./limits/disk";
import type { LoadShedder, LoadShedderBounds } from "./limits/loadShedder";
import type { Stored } from "./limits/quotaKinds";
import type { Quotas } from "./limits/quotas";
import type { defaultLimits, Limits } from "./limits/rateLimits";
import type { Live } from "./live/live";
import type { BackupOptions, MaintenanceTimes, SweeperTimes } from "./maintenance/options";
import type { Metrics } from "./metrics/metrics";
import type { GitHubConfig } from "./signIn/githubApi";
import type { CredentialLookups } from "./trpc/credentialLookups";

/** The configuration that handling a request depends on. */
export interface Config {
  publicUrl?: string;
  webOrigins: string[];
  /** Host names of this service, in addition to loopback's and the one in `publicUrl`. */
  allowedHosts?: string[];
  adminEmailDomain?: string;
  /** `first`: closed as soon as there is an account. */
  signUp: "open" | "invite" | "first" | "closed";
  /** How many proxies in front are trusted; true: one. */
  trustProxy: boolean | number;
  /** Without an SMTP server, mails are logged. `service` is the name that signs mails. */
  smtp?: Smtp;
  /** Sign-in with GitHub, if configured. */
  github?: GitHubConfig;
  /** The token for reading what this process measures; without it nothing is measured. */
  metricsToken?: string;
  /** With this key, the process proves to programs of the same machine that it is Grove; see `http/proof.ts`. */
  proofKey?: string;
  /** Whether this is local mode: one owner, who signs in to the console by one-time links. */
  local?: boolean;
  /** How the machine's owner gets a sign-in link in local mode. */
  linkCommand?: string;
  /** The directory of the built console; without it none is served. */
  webDir?: string;
  /** The packed device agent, for machines to download. */
  deviceTarball?: string | undefined;
  /** How external systems are reached. */
  integrations?: IntegrationsOptions;
  /** Hosts of push services, `host` or `host:port`, in addition to the known browsers' hosts. */
  pushHosts?: readonly string[];
  /** Replaces the default rate limits. */
  limits?: typeof defaultLimits;
  /** Replaces some of the sweeper's times, for tests of faults. */
  sweeper?: Partial<SweeperTimes>;
  /** Replaces some of the maintenance jobs' times, for tests. */
  maintenance?: Partial<MaintenanceTimes>;
  /** Replaces the times of the instance's lease, for tests of faults. */
  lease?: Partial<LeaseTimes>;
  /** Overrides the limits of one caller. */
  bounds?: Partial<Bounds & LoadShedderBounds>;
  /** Replaces how often pull requests are read, for tests. */
  pullPolling?: Partial<PullPollTimes>;
  /** The days that single analytics events are kept. */
  analyticsDays?: number | undefined;
  /** Overrides how much of a kind may be stored. */
  quotas?: Partial<Record<Stored, number>>;
  /** The disk to watch, if the embedded database stores its data on one. */
  disk?: DiskOptions;
  /** The embedded database to back up each night, if it stores its data on a disk. */
  backups?: BackupOptions;
  /** How long the devices of a process that shuts down take to leave; by default they leave immediately. */
  drainMs?: number;
  /** Overrides how long a stream's caller may leave events unread. */
  unreadMs?: number;
}

/** Services that live as long as the process; every request's context points to them. */
export interface Services {
  config: Config;
  database: GroveDatabase;
  auth: Auth;
  vault: Vault;
  integrations: Integrations;
  /** Shows other instances that this one is alive. */
  lease: Lease;
  dispatch: Dispatch;
  readEvents: ReturnType<typeof batchEventReads>;
  /** Appends a chunk to a session's output. */
  appendChunk: ReturnType<typeof batchChunks>;
  live: Live;
  mailer: Mailer;
  /** The address of the console, for links. */
  consoleUrl: string;
  limits: Limits;
  callers: CallerLimits;
  lookups: CredentialLookups;
  loadShedder: LoadShedder;
  quotas: Quotas;
  disk: Disk;
  /** The version of this server, and of the console that it serves. */
  release: string;
  metrics?: Metrics | undefined;
  log: FastifyBaseLogger;
  /** Aborted when the process begins to shut down: it takes no more devices, and those that it has leave one by one. */
  stopping: AbortSignal;
  /** Aborted when the devices have left: streams send `drain`, and waiting callers get their response. */
  draining: AbortSignal;
}
