import type { Gitlab } from "@gitbeaker/core";
import type { BlockCode, CheckState, MergeMethod, PullBlock, PullCheck } from "@grove/schemas";
import * as z from "zod";
import { providerErrorIn } from "../errors";
import { MAX_ITEMS } from "../pages";
import type { CheckedPull, RepoRef } from "../ports";
import { sortChecks, withState } from "../pulls";
import { idOf, type Project, toPull } from "./pull";

const merging = z.object({
  detailed_merge_status: z.string(),
  blocking_discussions_resolved: z.boolean().nullish(),
  head_pipeline: z.object({ id: z.number() }).nullish(),
});
const job = z.object({
  id: z.number(),
  name: z.string(),
  status: z.string(),
  allow_failure: z.boolean().default(false),
  web_url: z.string().nullish(),
});

/** GitLab's words for the state of a job. */
const states: Record<string, CheckState> = {
  success: "passed",
  failed: "failed",
  canceled: "failed",
  canceling: "failed",
  skipped: "skipped",
  manual: "skipped",
  created: "running",
  pending: "running",
  running: "running",
  preparing: "running",
  scheduled: "running",
  waiting_for_resource: "running",
  waiting_for_callback: "running",
};

/** docs.gitlab.com/api/merge_requests, "Merge status". Another word is shown as it is, and blocks. */
const statuses: Record<string, BlockCode | "none" | "checking"> = {
  mergeable: "none",
  not_open: "none",
  checking: "checking",
  unchecked: "checking",
  preparing: "checking",
  approvals_syncing: "checking",
  ci_still_running: "checks_running",
  ci_must_pass: "checks_failed",
  status_checks_must_pass: "checks_failed",
  conflict: "conflicts",
  need_rebase: "behind",
  draft_status: "draft",
  discussions_not_resolved: "threads_open",
  not_approved: "review_required",
  requested_changes: "changes_requested",
};

/** Reads a merge request and the jobs of its newest pipeline. */
export async function checkedPull(
  api: InstanceType<typeof Gitlab>,
  repo: RepoRef,
  number: number,
  project: Project,
): Promise<CheckedPull> {
  const data = await api.MergeRequests.show(idOf(repo), number);
  const { detailed_merge_status: word, head_pipeline, blocking_discussions_resolved } = merging.parse(data);
  const checks = head_pipeline ? await readJobs(api, repo, head_pipeline.id) : [];
  const meaning = Object.hasOwn(statuses, word) ? statuses[word] : undefined;
  const code = meaning ?? "provider";
  const blocks: PullBlock[] = code === "none" || code === "checking" ? [] : [{ code, detail: word }];
  const inTrain = project.merge_trains_enabled ? await readTrain(api, repo, number) : undefined;
  if (inTrain !== undefined) blocks.push({ code: "queued", detail: inTrain });
  for (const { name, state, word } of checks)
    if (state === "unknown") blocks.push({ code: "provider", detail: `${name}: ${word}` });
  const mergeable =
    code === "checking" ? "checking" : word === "mergeable" ? "yes" : meaning ? "no" : "unknown";
  return withState({
    pull: toPull(data, project),
    checks,
    blocks,
    methods: methodsOf(project),
    mergeable,
    // GitLab states whether unresolved threads exist, but not how many.
    threadsOpen: blocking_discussions_resolved === true ? 0 : null,
  });
}

async function readJobs(api: InstanceType<typeof Gitlab>, repo: RepoRef, pipelineId: number) {
  const found = await api.Jobs.all(idOf(repo), { pipelineId, perPage: 100, maxPages: MAX_ITEMS / 100 });
  const checks = z.array(job).parse(found).map(toCheck);
  return sortChecks(checks);
}

const toCheck = ({ id, name, status, allow_failure, web_url }: z.output<typeof job>): PullCheck => ({
  id: String(id),
  name,
  word: status,
  url: web_url ?? null,
  required: !allow_failure,
  state: (Object.hasOwn(states, status) ? states[status] : undefined) ?? "unknown",
});

const train = z.object({ status: z.string() });
/** A merge request that has left its train. */
const leftTrain = ["merged", "skip_merged"];

/**
 * GitLab's word for the place of a merge request in its merge train (docs.gitlab.com/api/merge_trains), if it has one.
 */
async function readTrain(
  api: InstanceType<typeof Gitlab>,
  repo: RepoRef,
  number: number,
): Promise<string | undefined> {
  try {
    const { status } = train.parse(await api.MergeTrains.showStatus(idOf(repo), number));
    return leftTrain.includes(status) ? undefined : status;
  } catch (error) {
    if (providerErrorIn(error)?.failure === "not_found") return undefined;
    throw error;
  }
}

/**
 * Returns the project's own method and `squash`, or only one of them if the project forbids or requires squashing. With
 * merge trains, only they merge.
 */
function methodsOf({ merge_method, squash_option, merge_trains_enabled }: Project): MergeMethod[] {
  if (merge_trains_enabled) return ["queue"];
  const own: MergeMethod = merge_method === "merge" ? "merge" : "rebase";
  if (squash_option === "always") return ["squash"];
  return squash_option === "never" ? [own] : [own, "squash"];
}
