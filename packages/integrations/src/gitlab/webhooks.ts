import { DAY_MS, type PullState } from "@grove/schemas";
import * as z from "zod";
import { type DeliveredRepo, header, isEqualInConstantTime, type WebhookDefinition } from "../webhooks";

const payload = z.object({
  object_kind: z.string(),
  project: z.object({ path_with_namespace: z.string() }).optional(),
  object_attributes: z
    .object({ action: z.string().optional(), updated_at: z.string().optional() })
    .optional(),
});

const project = z.object({
  id: z.number().nullish(),
  path_with_namespace: z.string(),
  web_url: z.string().nullish(),
  default_branch: z.string().nullish(),
});

const changedPipeline = z.object({ project, object_attributes: z.object({ sha: z.string() }) });

const changed = z.object({
  project,
  object_attributes: z.object({
    iid: z.number().int(),
    // Or a word of a newer version.
    state: z.string(),
    draft: z.boolean().nullish(),
    work_in_progress: z.boolean().nullish(),
    updated_at: z.string().nullish(),
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

/** The actions that may change a merge request's state, branches or commits. */
const actions = new Set(["open", "close", "reopen", "update", "merge"]);

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
    const [event, action = ""] = type.split(".");
    if (event === "pipeline") {
      const { project, object_attributes } = changedPipeline.parse(body);
      return { kind: "checks_changed", repo: toRepo(project, "", null), head: object_attributes.sha };
    }
    if (event !== "merge_request" || !actions.has(action)) return null;
    const { project, object_attributes: found } = changed.parse(body);
    const asOf = found.updated_at == null ? null : readTime(found.updated_at);
    const state = stateOf(found);
    return {
      kind: "pull_request_changed",
      repo: toRepo(project, found.url, asOf),
      number: found.iid,
      title: found.title,
      body: found.description ?? "",
      state,
      asOf,
      // Deliveries do not state when it was merged. Merging is what last changes most of them.
      mergedAt: state === "merged" ? asOf : null,
      headBranch: found.source_project_id === found.target_project_id ? found.source_branch : null,
      baseBranch: found.target_branch,
      defaultBranch: project.default_branch ?? null,
      url: found.url,
    };
  },
};

function toRepo(
  { id, path_with_namespace, web_url }: z.output<typeof project>,
  otherPage: string,
  asOf: Date | null,
): DeliveredRepo {
  const path = path_with_namespace.split("/");
  return {
    id: id == null ? null : String(id),
    owner: path.slice(0, -1).join("/"),
    name: path.at(-1) ?? "",
    url: web_url ?? otherPage,
    asOf,
  };
}

/** `locked` is the state while GitLab merges. */
function stateOf({
  state,
  draft,
  work_in_progress,
}: z.output<typeof changed>["object_attributes"]): PullState {
  if (state === "merged" || state === "closed") return state;
  return (draft ?? work_in_progress) ? "draft" : "open";
}

/** ISO 8601, or the form of older versions: `2013-12-03 17:23:34 UTC`. */
const readTime = (text: string): Date | null => {
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? null : time;
};
