import * as z from "zod";
import type { Pull, RepoRef } from "../ports";

export const idOf = ({ owner, name }: RepoRef) => `${owner}/${name}`;

/** The parts of a project (docs.gitlab.com/api/projects) on which its merge requests depend. */
export const project = z.object({
  id: z.number(),
  path: z.string(),
  namespace: z.object({ full_path: z.string() }),
  web_url: z.string(),
  /** A repository without commits has none. */
  default_branch: z.string().nullish(),
  merge_method: z.string().default("merge"),
  squash_option: z.string().default("default_off"),
  merge_trains_enabled: z.boolean().default(false),
});
export type Project = z.output<typeof project>;

const mergeRequest = z.object({
  iid: z.number().int(),
  title: z.string(),
  description: z.string().nullable(),
  state: z.enum(["opened", "closed", "locked", "merged"]),
  draft: z.boolean().default(false),
  sha: z.string().nullable(),
  source_branch: z.string(),
  target_branch: z.string(),
  // Null if the fork was deleted.
  source_project_id: z.number().nullable(),
  target_project_id: z.number(),
  merged_at: z.string().nullish(),
  updated_at: z.string(),
  web_url: z.string(),
});

export function toPull(data: unknown, { path, namespace, web_url, default_branch }: Project): Pull {
  const found = mergeRequest.parse(data);
  const { state } = found;
  const asOf = new Date(found.updated_at);
  const isEnded = state === "merged" || state === "closed";
  return {
    kind: "pull_request_changed",
    repo: {
      id: String(found.target_project_id),
      owner: namespace.full_path,
      name: path,
      url: web_url,
      asOf,
    },
    number: found.iid,
    title: found.title,
    body: found.description ?? "",
    state: isEnded ? state : found.draft ? "draft" : "open",
    asOf,
    mergedAt: found.merged_at == null ? null : new Date(found.merged_at),
    // Null until GitLab has prepared the merge request.
    head: found.sha ?? "",
    headBranch: found.source_project_id === found.target_project_id ? found.source_branch : null,
    baseBranch: found.target_branch,
    defaultBranch: default_branch ?? null,
    url: found.web_url,
  };
}
