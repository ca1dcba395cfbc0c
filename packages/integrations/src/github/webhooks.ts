import * as z from "zod";
import { type Change, header, hmacSha256, isEqualInConstantTime, type WebhookDefinition } from "../webhooks";

const DAY_MS = 24 * 60 * 60_000;

const payload = z.object({
  action: z.string().optional(),
  repository: z.object({ full_name: z.string() }).optional(),
  pull_request: z.object({ updated_at: z.string() }).optional(),
});

const closedPullRequest = z.object({
  pull_request: z.object({
    merged: z.boolean(),
    title: z.string(),
    body: z.string().nullable(),
    html_url: z.string(),
    // Null if the fork was deleted.
    head: z.object({ ref: z.string(), repo: z.object({ id: z.number() }).nullable() }),
    base: z.object({ ref: z.string(), repo: z.object({ id: z.number() }) }),
  }),
  repository: z.object({
    name: z.string(),
    owner: z.object({ login: z.string() }),
    default_branch: z.string().nullish(),
  }),
});

const movedRepository = z.object({
  repository: z.object({ name: z.string(), owner: z.object({ login: z.string() }), html_url: z.string() }),
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
    if (type !== "pull_request.closed") return null;
    const { pull_request: found, repository } = closedPullRequest.parse(body);
    if (!found.merged) return null;
    return {
      kind: "pull_request_merged",
      repo: { owner: repository.owner.login, name: repository.name },
      title: found.title,
      body: found.body ?? "",
      headBranch: found.head.repo?.id === found.base.repo.id ? found.head.ref : null,
      baseBranch: found.base.ref,
      defaultBranch: repository.default_branch ?? null,
      url: found.html_url,
    };
  },
};

function moveOf(body: unknown): Change {
  const { repository, changes } = movedRepository.parse(body);
  const to = { owner: repository.owner.login, name: repository.name };
  const formerOwner = changes.owner?.from.organization ?? changes.owner?.from.user;
  const from = {
    owner: formerOwner?.login ?? to.owner,
    name: changes.repository?.name.from ?? to.name,
  };
  return { kind: "repository_moved", from, to, url: repository.html_url };
}
