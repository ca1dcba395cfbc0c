import * as z from "zod";
import { lastEventId, readyEvent } from "../event";
import { organizationScope } from "../organizations/organization";
import { taskPriority, taskStatusType } from "../tasks/task";
import { id, page, text, timestamp, webUrl } from "../values";

/** The kinds of external systems. Each is a sub-router of `integration`. */
export const integrationKind = z.enum(["codehost", "tracker", "messenger"]);
export type IntegrationKind = z.infer<typeof integrationKind>;

/** The systems for which packages/integrations has an adapter. */
export const integrationProvider = z.enum(["github", "gitlab", "linear", "jira", "slack", "discord"]);
export type IntegrationProvider = z.infer<typeof integrationProvider>;

/** `reconnect_required`: the provider no longer accepts the credentials; connect the same account again. */
export const connectionStatus = z.enum(["connected", "reconnect_required"]);
export type ConnectionStatus = z.infer<typeof connectionStatus>;

export const MAX_SCOPES = 200;
export const MAX_SCOPE_LENGTH = 100;

export const connection = z.object({
  id,
  kind: integrationKind,
  provider: integrationProvider,
  /** The account at the provider that the credentials belong to. */
  accountName: z.string(),
  /**
   * The permissions of the credentials in the provider's words, such as `repo`, or `contents:read` for a GitHub App. As
   * of the last connect; null if the provider does not state them.
   */
  scopes: z.array(z.string().max(MAX_SCOPE_LENGTH)).max(MAX_SCOPES).nullable(),
  status: connectionStatus,
  /** Whether the provider reports changes by a webhook. */
  receivesEvents: z.boolean(),
  createdAt: timestamp,
});
export type Connection = z.infer<typeof connection>;

const secretText = (max: number) => text(max).trim().min(1);

/** An installation of a GitHub App. The private key is in PEM format. */
export const appCredentials = z.strictObject({
  appId: z.string().regex(/^\d{1,20}$/, "must be the app's id, digits"),
  installationId: z.string().regex(/^\d{1,20}$/, "must be the installation's id, digits"),
  privateKey: secretText(10_000),
});

export const integrationListInput = z.object({ ...organizationScope, ...page });
export type IntegrationListInput = z.infer<typeof integrationListInput>;
export const integrationConnectInput = z.strictObject({
  ...organizationScope,
  provider: integrationProvider,
  /** A personal or bot token. The README of packages/integrations lists the kinds. */
  token: secretText(10_000)
    .refine((value) => /^[\x21-\x7e]+$/.test(value), "must be printable ASCII without spaces")
    .optional(),
  /** The email address of the token's owner. Only Jira Cloud needs it. */
  email: z.email().max(254).optional(),
  app: appCredentials.optional(),
  /** The address of a self-hosted provider or of a site: `https://git.example.com`. */
  baseUrl: webUrl.optional(),
});
export type IntegrationConnectInput = z.infer<typeof integrationConnectInput>;
export const integrationAuthorizeUrlInput = z.strictObject({
  ...organizationScope,
  provider: integrationProvider,
});
export const authorizeUrl = z.object({ url: z.string() });
export const integrationDisconnectInput = z.strictObject({ ...organizationScope, id });
export type IntegrationDisconnectInput = z.infer<typeof integrationDisconnectInput>;

/** `connectionId` may be left out if the organization has only one connection of the kind. */
const inConnection = { ...organizationScope, connectionId: id.optional() };

/** An id made by a provider. None of its characters can end its part of a URL or a query. */
const externalId = z.string().regex(/^[A-Za-z0-9_-]{1,100}$/, "must be an id: letters, digits, - and _");

const PATH_SEGMENT = "(?!\\.{1,2}(?:/|$))[A-Za-z0-9_.-]+";
/** An account, or the path of a GitLab group. */
const repoOwner = z
  .string()
  .max(200)
  .regex(
    new RegExp(`^${PATH_SEGMENT}(?:/${PATH_SEGMENT})*$`),
    "must be an owner's name: letters, digits, . _ - and /",
  );
const repoName = z
  .string()
  .max(200)
  .regex(new RegExp(`^${PATH_SEGMENT}$`), "must be a repository's name: letters, digits, . _ and -");

export const repo = z.object({
  id: z.string(),
  owner: z.string(),
  name: z.string(),
  fullName: z.string(),
  url: z.string(),
  cloneUrl: z.string(),
  defaultBranch: z.string(),
  private: z.boolean(),
  description: z.string().nullable(),
  updatedAt: timestamp,
});
export type Repo = z.infer<typeof repo>;

export const codehostListReposInput = z.object(inConnection);

/**
 * Why a delivery was refused. `too_large`: more than 1 MiB; `compressed`: its body has a content encoding;
 * `unverified`: not signed with the webhook's secret, or old; `malformed`: its body is not the provider's;
 * `rate_limited`: too many in a minute.
 */
export const refusedDeliveryReason = z.enum([
  "too_large",
  "compressed",
  "unverified",
  "malformed",
  "rate_limited",
]);
export type RefusedDeliveryReason = z.infer<typeof refusedDeliveryReason>;

/** `dead`: it failed too often and waits for integration.replayEvent. */
export const integrationEventStatus = z.enum(["pending", "processed", "dead"]);
export type IntegrationEventStatus = z.infer<typeof integrationEventStatus>;

export const webhook = z.object({
  id,
  repoOwner: z.string(),
  repoName: z.string(),
  events: z.array(z.string()),
  /** The address that receives the provider's deliveries; null while the service has no PUBLIC_URL. */
  url: z.string().nullable(),
  active: z.boolean(),
  /** The newest delivery that was accepted and is still kept. */
  lastDelivery: z.object({ receivedAt: timestamp, status: integrationEventStatus }).nullable(),
  /** The deliveries that were refused, and are therefore not among the events; null if there were none. */
  refused: z
    .object({ count: z.number().int(), lastAt: timestamp, lastReason: refusedDeliveryReason })
    .nullable(),
  createdAt: timestamp,
});
export type Webhook = z.infer<typeof webhook>;

export const codehostCreateWebhookInput = z.strictObject({
  ...inConnection,
  repoOwner,
  repoName,
  events: z
    .array(z.string().regex(/^(\*|[a-z][a-z_]{0,63})$/, "must be an event's name, such as pull_request"))
    .min(1)
    .max(50)
    .overwrite((events) => [...new Set(events)]),
});
export type CodehostCreateWebhookInput = z.infer<typeof codehostCreateWebhookInput>;
export const codehostListWebhooksInput = z.object({ ...inConnection, ...page });
export type CodehostListWebhooksInput = z.infer<typeof codehostListWebhooksInput>;
export const codehostDeleteWebhookInput = z.strictObject({ ...inConnection, id });
export type CodehostDeleteWebhookInput = z.infer<typeof codehostDeleteWebhookInput>;

export const pullRequestState = z.enum(["open", "closed", "merged"]);

export const pullRequest = z.object({
  number: z.number().int(),
  title: z.string(),
  state: pullRequestState,
  draft: z.boolean(),
  author: z.string().nullable(),
  headBranch: z.string(),
  baseBranch: z.string(),
  url: z.string(),
  updatedAt: timestamp,
});
export type PullRequest = z.infer<typeof pullRequest>;

export const codehostListPullRequestsInput = z.object({
  ...inConnection,
  repoOwner,
  repoName,
  state: pullRequestState.optional(),
});

export const issue = z.object({
  id: z.string(),
  /** The key as people write it: `ENG-12`. */
  key: z.string(),
  title: z.string(),
  description: z.string().nullable(),
  /** The state's name at the provider. */
  state: z.string(),
  /** The meaning of the state, as for a task's status. */
  stateType: taskStatusType,
  priority: taskPriority,
  assigneeName: z.string().nullable(),
  teamId: z.string(),
  url: z.string(),
  updatedAt: timestamp,
});
export type Issue = z.infer<typeof issue>;

export const trackerListIssuesInput = z.object({ ...inConnection, teamId: externalId.optional() });

export const team = z.object({ id: z.string(), key: z.string(), name: z.string() });
export type Team = z.infer<typeof team>;

export const trackerListTeamsInput = z.object(inConnection);
export const trackerImportIssueInput = z.strictObject({ ...inConnection, issueId: externalId });
export type TrackerImportIssueInput = z.infer<typeof trackerImportIssueInput>;

export const message = z.object({
  id: z.string(),
  channel: z.string(),
  url: z.string().nullable(),
  sentAt: timestamp,
});
export type Message = z.infer<typeof message>;

export const messengerSendMessageInput = z.strictObject({
  ...inConnection,
  channel: externalId,
  text: text(40_000).refine((value) => value.trim() !== "", "must not be empty"),
});

export const channel = z.object({ id: z.string(), name: z.string(), private: z.boolean() });
export type Channel = z.infer<typeof channel>;

export const messengerListChannelsInput = z.object(inConnection);

export const integrationEvent = z.object({
  id,
  provider: integrationProvider,
  /** The provider's own name for it: `pull_request.closed`. */
  type: z.string(),
  /** `owner/name`, if the event concerns a repository. */
  repo: z.string().nullable(),
  receivedAt: timestamp,
  status: integrationEventStatus,
});
export type IntegrationEvent = z.infer<typeof integrationEvent>;

export const integrationListEventsInput = z.object({ ...organizationScope, ...page });
export type IntegrationListEventsInput = z.infer<typeof integrationListEventsInput>;
export const integrationReplayEventInput = z.strictObject({ ...organizationScope, id });
export type IntegrationReplayEventInput = z.infer<typeof integrationReplayEventInput>;
export const integrationOnEventInput = z.object({ ...organizationScope, lastEventId });

/** An event of integration.onEvent: a delivery, when it arrives and whenever its status changes. */
export const integrationNews = z.discriminatedUnion("type", [
  readyEvent,
  z.object({ type: z.literal("event"), event: integrationEvent }),
]);
export type IntegrationNews = z.infer<typeof integrationNews>;
