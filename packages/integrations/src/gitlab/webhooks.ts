import * as z from "zod";
import { header, isEqualInConstantTime, type WebhookDefinition } from "../webhooks";

const DAY_MS = 24 * 60 * 60_000;

const payload = z.object({
  object_kind: z.string(),
  project: z.object({ path_with_namespace: z.string() }).optional(),
  object_attributes: z
    .object({ action: z.string().optional(), updated_at: z.string().optional() })
    .optional(),
});

const merged = z.object({
  project: z.object({ path_with_namespace: z.string(), default_branch: z.string().nullish() }),
  object_attributes: z.object({
    title: z.string(),
    description: z.string().nullish(),
    source_branch: z.string(),
    target_branch: z.string(),
    // Null if the fork was deleted.
    source_project_id: z.number().nullable(),
    target_project_id: z.number(),
    url: z.string(),
  }),
});

/** docs.gitlab.com/user/project/integrations/webhooks and webhook_events */
export const gitLabWebhooks: WebhookDefinition = {
  maxAgeMs: DAY_MS,

  // GitLab does not sign deliveries. It sends the secret along.
  isAuthentic: ({ headers }, secret) => isEqualInConstantTime(header(headers, "x-gitlab-token"), secret),

  read: (headers, body) => {
    const { object_kind, project, object_attributes } = payload.parse(body);
    const { action, updated_at } = object_attributes ?? {};
    return {
      id: header(headers, "idempotency-key") || header(headers, "x-gitlab-event-uuid") || null,
      type: action === undefined ? object_kind : `${object_kind}.${action}`,
      repo: project?.path_with_namespace ?? null,
      sentAt: object_kind === "merge_request" && updated_at !== undefined ? readTime(updated_at) : null,
    };
  },

  changeOf: (type, body) => {
    if (type !== "merge_request.merge") return null;
    const { project, object_attributes: found } = merged.parse(body);
    const path = project.path_with_namespace.split("/");
    return {
      kind: "pull_request_merged",
      repo: { owner: path.slice(0, -1).join("/"), name: path.at(-1) ?? "" },
      title: found.title,
      body: found.description ?? "",
      headBranch: found.source_project_id === found.target_project_id ? found.source_branch : null,
      baseBranch: found.target_branch,
      defaultBranch: project.default_branch ?? null,
      url: found.url,
    };
  },
};

/** ISO 8601, or the form of older versions: `2013-12-03 17:23:34 UTC`. */
const readTime = (text: string): Date | null => {
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? null : time;
};
