import type { Channel, Issue, Message, PullRequest, Repo, Team } from "@grove/schemas";

/** Lists end at so many items, the most recently changed first: what is asked of a provider is bounded. */
export const MAX_ITEMS = 1000;

/** Whom credentials belong to at their provider. */
export interface Account {
  /** Stable, unlike names. */
  id: string;
  name: string;
}

export interface RepoRef {
  owner: string;
  name: string;
}

interface Port {
  /** @throws {ProviderError} `unauthorized` when the credentials are not good */
  account(): Promise<Account>;
}

/** Where the provider is to send deliveries, signed with what. */
export interface WebhookTarget {
  url: string;
  secret: string;
}

/** A system that hosts code. Every call throws {@link ProviderError}, here and below. */
export interface Codehost extends Port {
  /** Those that the credentials may see. */
  listRepos(): Promise<Repo[]>;
  /** Without a state, all. */
  listPullRequests(repo: RepoRef, state?: PullRequest["state"]): Promise<PullRequest[]>;
  /** @returns the provider's id of it */
  createWebhook(repo: RepoRef, target: WebhookTarget & { events: string[] }): Promise<string>;
  /** One that is no longer there is `not_found`. */
  deleteWebhook(repo: RepoRef, id: string): Promise<void>;
}

/** A system that tracks issues. */
export interface Tracker extends Port {
  listTeams(): Promise<Team[]>;
  listIssues(options: { teamId?: string }): Promise<Issue[]>;
  getIssue(id: string): Promise<Issue>;
  /** For changes of any issue that it shows. @returns the provider's id of it */
  createWebhook(target: WebhookTarget): Promise<string>;
  /** One that is no longer there is `not_found`. */
  deleteWebhook(id: string): Promise<void>;
}

/** A system in which teams write to one another. */
export interface Messenger extends Port {
  sendMessage(channelId: string, text: string): Promise<Message>;
  listChannels(): Promise<Channel[]>;
}
