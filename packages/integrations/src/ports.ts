import type {
  Channel,
  Issue,
  MergeMethod,
  Message,
  PullRequest,
  PullStatus,
  Repo,
  Team,
} from "@grove/schemas";
import type { LogTail } from "./network/logTail";
import type { DeliveredChange } from "./webhooks";

/** The account that credentials belong to at their provider. */
export interface Account {
  /** Stable, unlike the name. */
  id: string;
  name: string;
  /** The permissions of the credentials; undefined if the provider does not state them. */
  scopes?: string[];
}

export interface RepoRef {
  owner: string;
  name: string;
}

/** A pull request as its code host describes it, in the terms of a delivery. */
export interface Pull extends Extract<DeliveredChange, { kind: "pull_request_changed" }> {
  /** The newest commit of its branch. */
  head: string;
}

export interface NewPull {
  title: string;
  body: string;
  /** The branch with the commits, in the repository itself. */
  head: string;
  base: string;
  draft: boolean;
}

/** A pull request with what decides whether it can be merged. */
export interface CheckedPull
  extends Pick<PullStatus, "mergeable" | "blocks" | "checks" | "methods" | "threadsOpen"> {
  pull: Pull;
}

/**
 * The outcome of a merge: `queued` if the code host's queue will merge it, `head_moved` if the branch has another
 * commit than the expected one, `refused` with the code host's word for all else that it does not merge.
 */
export type MergeOutcome =
  | { outcome: "merged" | "queued" | "head_moved" }
  | { outcome: "refused"; detail: string };

/**
 * The end of a check's log: `log_gone` if the code host no longer has the log, `log_elsewhere` if another system has
 * it, or if it is too long to be read to its end.
 */
export type CheckLogOutcome = { outcome: "read"; log: LogTail } | { outcome: "log_gone" | "log_elsewhere" };

interface Port {
  /** @throws {ProviderError} `unauthorized` if the credentials are not valid */
  account(): Promise<Account>;
}

/** The address for the provider's deliveries, and the secret that signs them. */
export interface WebhookTarget {
  url: string;
  secret: string;
}

/** A system that hosts code. Every call throws {@link ProviderError}, here and below. */
export interface Codehost extends Port {
  /** The repositories that the credentials may see. */
  listRepos(): Promise<Repo[]>;
  /** All pull requests, if `state` is omitted. */
  listPullRequests(repo: RepoRef, state?: PullRequest["state"]): Promise<PullRequest[]>;
  /** Finds the newest open pull request of a branch of the repository itself. Any base, if `base` is omitted. */
  findPull(repo: RepoRef, branches: { head: string; base?: string }): Promise<Pull | undefined>;
  /** @throws {ProviderError} `refused` if there is one already, or if the branches do not differ */
  openPull(repo: RepoRef, pull: NewPull): Promise<Pull>;
  /** Makes a draft ready for review. Does nothing if it is not a draft. */
  markReady(repo: RepoRef, number: number): Promise<void>;
  /** Reads a pull request without its checks and rules, which take more requests. */
  readPull(repo: RepoRef, number: number): Promise<Pull>;
  pullStatus(repo: RepoRef, number: number): Promise<CheckedPull>;
  /** Reads the end of the log of a check. `checkId` is the `id` of a check of {@link pullStatus}. */
  readCheckLog(repo: RepoRef, checkId: string): Promise<CheckLogOutcome>;
  /**
   * Merges exactly the commit `head`, now, or adds it to the queue if that is the method. It never waits, as a
   * provider's automatic merge does.
   */
  mergePull(
    repo: RepoRef,
    number: number,
    merge: { head: string; method: MergeMethod },
  ): Promise<MergeOutcome>;
  /** @returns the provider's id of the webhook */
  createWebhook(repo: RepoRef, target: WebhookTarget & { events: string[] }): Promise<string>;
  /** @throws {ProviderError} `not_found` if the webhook no longer exists */
  deleteWebhook(repo: RepoRef, id: string): Promise<void>;
}

/** A system that tracks issues. */
export interface Tracker extends Port {
  listTeams(): Promise<Team[]>;
  listIssues(options: { teamId?: string }): Promise<Issue[]>;
  getIssue(id: string): Promise<Issue>;
  /** Makes a webhook for changes of any visible issue. @returns the provider's id of the webhook */
  createWebhook(target: WebhookTarget): Promise<string>;
  /** @throws {ProviderError} `not_found` if the webhook no longer exists */
  deleteWebhook(id: string): Promise<void>;
}

/** A system in which teams write to one another. */
export interface Messenger extends Port {
  sendMessage(channelId: string, text: string): Promise<Message>;
  listChannels(): Promise<Channel[]>;
}
