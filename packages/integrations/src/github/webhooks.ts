import { DAY_MS, type PullState } from "@grove/schemas";
import * as z from "zod";
import {
  type DeliveredChange,
  type DeliveredRepo,
  header,
  hmacSha256,
  isEqualInConstantTime,
  type WebhookDefinition,
} from "../webhooks";

const payload = z.object({
  action: z.string().optional(),
  repository: z.object({ full_name: z.string() }).optional(),
  pull_request: z.object({ updated_at: z.string() }).optional(),
});

/** A repository in a delivery, and in responses of the REST API. */
export const repository = z.object({
  id: z.number().nullish(),
  name: z.string(),
  owner: z.object({ login: z.string() }),
  html_url: z.string().nullish(),
  default_branch: z.string().nullish(),
  updated_at: z.string().nullish(),
});

const changedPullRequest = z.object({
  pull_request: z.object({
    number: z.number().int(),
    state: z.enum(["open", "closed"]),
    draft: z.boolean().nullish(),
    merged: z.boolean(),
    merged_at: z.string().nullish(),
    updated_at: z.string(),
    title: z.string(),
    body: z.string().nullable(),
    html_url: z.string(),
    // Null if the fork was deleted.
    head: z.object({ ref: z.string(), repo: z.object({ id: z.number() }).nullable() }),
    base: z.object({ ref: z.string(), repo: z.object({ id: z.number() }) }),
  }),
  repository,
});

/** The actions that may change a pull request's state, branches or commits. */
const pullRequestActions = new Set([
  ...["opened", "closed", "reopened", "edited", "synchronize"],
  ...["converted_to_draft", "ready_for_review", "enqueued", "dequeued"],
]);

const commit = z.object({ head_sha: z.string() });

const changedChecks = z
  .object({
    repository,
    check_run: commit.optional(),
    check_suite: commit.optional(),
    /** Set for the event `status`. */
    sha: z.string().optional(),
    /** Set for the events of a review. */
    pull_request: z.object({ head: z.object({ sha: z.string() }) }).optional(),
  })
  .transform(({ repository, check_run, check_suite, sha, pull_request }) => ({
    repository,
    head: check_run?.head_sha ?? check_suite?.head_sha ?? pull_request?.head.sha ?? sha,
  }));

/**
 * The events that change what a pull request waits for. The console subscribes to those in `codehostWebhookEvents` of
 * the schemas; webhooks for all events deliver the others, too.
 */
const checksEvents = new Set(["check_run", "check_suite", "status", "pull_request_review"]);

const movedRepository = z.object({
  repository,
  changes: z.object({
    repository: z.object({ name: z.object({ from: z.string() }) }).optional(),
    owner: z
      .object({
        from: z.object({
          user: z.object({ login: z.string() }).nullish(),
          organization: z.object({ login: z.string() }).nullish(),
        }),
      })
      .optional(),
  }),
});

/** docs.github.com/webhooks: "Validating webhook deliveries", "Webhook events and payloads". */
export const gitHubWebhooks: WebhookDefinition = {
  // People may redeliver by hand for three days.
  maxAgeMs: 3 * DAY_MS,

  isAuthentic: ({ headers, body }, secret) =>
    isEqualInConstantTime(header(headers, "x-hub-signature-256"), `sha256=${hmacSha256(secret, body)}`),

  read: (headers, body) => {
    const { action, repository, pull_request } = payload.parse(body);
    const event = header(headers, "x-github-event") || "unknown";
    return {
      id: header(headers, "x-github-delivery") || null,
      type: action === undefined ? event : `${event}.${action}`,
      repo: repository?.full_name ?? null,
      // Only pull requests state when they changed, and only they have an effect.
      sentAt: pull_request ? new Date(pull_request.updated_at) : null,
    };
  },

  changeOf: (type, body) => {
    if (type === "repository.renamed" || type === "repository.transferred") return moveOf(body);
    const [event = "", action = ""] = type.split(".");
    if (checksEvents.has(event)) return checksOf(body);
    if (event !== "pull_request" || !pullRequestActions.has(action)) return null;
    const { pull_request: found, repository: repo } = changedPullRequest.parse(body);
    return pullOf(found, repo);
  },
};

function checksOf(body: unknown): DeliveredChange | null {
  const { repository: found, head } = changedChecks.parse(body);
  return head === undefined ? null : { kind: "checks_changed", repo: toRepo(found, ""), head };
}

type FoundPull = z.output<typeof changedPullRequest>["pull_request"];

/** A pull request of a repository, in a delivery or a response of the REST API. */
export function pullOf(
  found: FoundPull,
  repo: z.output<typeof repository>,
): Extract<DeliveredChange, { kind: "pull_request_changed" }> {
  return {
    kind: "pull_request_changed",
    repo: toRepo(repo, found.html_url),
    number: found.number,
    title: found.title,
    body: found.body ?? "",
    state: stateOf(found),
    asOf: new Date(found.updated_at),
    mergedAt: found.merged_at == null ? null : new Date(found.merged_at),
    headBranch: found.head.repo?.id === found.base.repo.id ? found.head.ref : null,
    baseBranch: found.base.ref,
    defaultBranch: repo.default_branch ?? null,
    url: found.html_url,
  };
}

function stateOf({ merged, state, draft }: FoundPull): PullState {
  if (merged) return "merged";
  if (state === "closed") return "closed";
  return draft ? "draft" : "open";
}

function moveOf(body: unknown): DeliveredChange {
  const { repository: found, changes } = movedRepository.parse(body);
  const repo = toRepo(found, "");
  const formerOwner = changes.owner?.from.organization ?? changes.owner?.from.user;
  const from = {
    owner: formerOwner?.login ?? repo.owner,
    name: changes.repository?.name.from ?? repo.name,
  };
  return { kind: "repository_moved", from, repo };
}

const toRepo = (
  { id, name, owner, html_url, updated_at }: z.output<typeof repository>,
  otherPage: string,
): DeliveredRepo => ({
  id: id == null ? null : String(id),
  owner: owner.login,
  name,
  url: html_url ?? otherPage,
  asOf: updated_at == null ? null : new Date(updated_at),
});
