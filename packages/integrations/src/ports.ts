import type { Channel, Issue, Message, PullRequest, Repo, Team } from "@grove/schemas";

/** The account that credentials belong to at their provider. */
export interface Account {
  /** Stable, unlike the name. */
  id: string;
  name: string;
}

export interface RepoRef {
  owner: string;
  name: string;
}

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
