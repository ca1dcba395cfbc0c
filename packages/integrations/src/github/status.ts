import type { CheckState, MergeMethod, PullBlock, PullCheck, PullStatus } from "@grove/schemas";
import * as z from "zod";
import { collect } from "../pages";
import type { CheckedPull, RepoRef } from "../ports";
import { checkBlocks, sortChecks, withState } from "../pulls";
import { type Client, itemsOf, toPull } from "./pull";
import { readRules } from "./rules";

const checkRun = z.object({
  id: z.number(),
  name: z.string(),
  status: z.string(),
  conclusion: z.string().nullable(),
  html_url: z.string().nullable(),
});
const status = z.object({ context: z.string(), state: z.string(), target_url: z.string().nullable() });
const merging = z.object({
  mergeable: z.boolean().nullable(),
  mergeable_state: z.string(),
  stack: z.object({ position: z.number(), size: z.number() }).nullish(),
});
const methods = z.object({
  base: z.object({
    repo: z.object({
      allow_merge_commit: z.boolean().optional(),
      allow_squash_merge: z.boolean().optional(),
      allow_rebase_merge: z.boolean().optional(),
    }),
  }),
});

/** GitHub's words for the state of a check run or a commit status. */
const states: Record<string, CheckState> = {
  success: "passed",
  neutral: "skipped",
  skipped: "skipped",
  failure: "failed",
  error: "failed",
  cancelled: "failed",
  timed_out: "failed",
  action_required: "failed",
  startup_failure: "failed",
  stale: "failed",
  queued: "running",
  in_progress: "running",
  pending: "running",
  waiting: "running",
  requested: "running",
  expected: "running",
};
const stateOf = (word: string): CheckState =>
  (Object.hasOwn(states, word) ? states[word] : undefined) ?? "unknown";

/** The states of a pull request in which nothing is in the way, and those that a block of their own describes. */
const unblocked = ["clean", "has_hooks", "unstable"];
const stateBlocks: Record<string, PullBlock["code"]> = {
  dirty: "conflicts",
  draft: "draft",
  behind: "behind",
};

/** Reads a pull request. */
export async function readData(client: Client, { owner, name }: RepoRef, number: number): Promise<unknown> {
  const of = { owner, repo: name, pull_number: number };
  return (await client.request("GET /repos/{owner}/{repo}/pulls/{pull_number}", of)).data;
}

/** Reads a pull request, its checks and the rules of its base. */
export async function checkedPull(client: Client, repo: RepoRef, number: number): Promise<CheckedPull> {
  const data = await readData(client, repo, number);
  const pull = toPull(data);
  const [runs, statuses, rules] = await Promise.all([
    readRuns(client, repo, pull.head),
    readStatuses(client, repo, pull.head),
    readRules(client, repo, { number, base: pull.baseBranch }),
  ]);
  const found = [...runs, ...statuses].map((check) => ({
    ...check,
    required: check.required || rules.required.includes(check.name),
  }));
  const checks = sortChecks([...found, ...missing(rules.required, found)]);
  const { mergeable, mergeable_state: word, stack } = merging.parse(data);
  const isChecking = mergeable === null || word === "unknown";
  const blocks: PullBlock[] = [...checkBlocks(checks), ...rules.blocks];
  // GitHub merges a stack only as a whole, up to the pull request itself.
  if (stack) blocks.push({ code: "stacked", detail: `${stack.position} of ${stack.size}` });
  const code = Object.hasOwn(stateBlocks, word) ? stateBlocks[word] : undefined;
  // A queue blocks every merge except its own.
  const isExplained = blocks.length > 0 || rules.hasQueue;
  if (code) blocks.push({ code, detail: word });
  else if (!isChecking && !unblocked.includes(word) && !(word === "blocked" && isExplained))
    blocks.push({ code: "provider", detail: word });
  return withState({
    pull,
    checks,
    blocks,
    threadsOpen: rules.threadsOpen,
    methods: rules.hasQueue ? ["queue"] : methodsOf(data, rules.methods),
    mergeable: isChecking ? "checking" : mergeable ? "yes" : "no",
  });
}

const PER_PAGE = 100;
/** The pages of commit statuses that are read at most. */
const MAX_PAGES = 10;

/** The newest run of each check. */
async function readRuns(client: Client, { owner, name }: RepoRef, ref: string): Promise<PullCheck[]> {
  const pages = client.paginate.iterator("GET /repos/{owner}/{repo}/commits/{ref}/check-runs", {
    owner,
    repo: name,
    ref,
    per_page: PER_PAGE,
  });
  const runs: unknown[] = await collect(itemsOf(pages));
  return runs.map((run) => {
    const { id, name, status, conclusion, html_url: url } = checkRun.parse(run);
    const word = status === "completed" ? (conclusion ?? status) : status;
    return { id: String(id), name, word, state: stateOf(word), url, required: false };
  });
}

/** The newest status of each context. */
async function readStatuses(client: Client, { owner, name }: RepoRef, ref: string): Promise<PullCheck[]> {
  const found: PullCheck[] = [];
  for (let page = 1; ; page++) {
    const { data } = await client.request("GET /repos/{owner}/{repo}/commits/{ref}/status", {
      owner,
      repo: name,
      ref,
      per_page: PER_PAGE,
      page,
    });
    const { statuses } = z.object({ statuses: z.array(status) }).parse(data);
    for (const { context, state: word, target_url: url } of statuses)
      found.push({ id: null, name: context, word, state: stateOf(word), url, required: false });
    if (statuses.length < PER_PAGE || page === MAX_PAGES) return found;
  }
}

/** The required checks of which the commit has no run yet. */
const missing = (required: string[], found: PullCheck[]): PullCheck[] =>
  required
    .filter((name) => found.every((check) => check.name !== name))
    .map((name) => ({ id: null, name, state: "running", word: "expected", url: null, required: true }));

/** The methods that the repository and the rules of the base allow. */
function methodsOf(data: unknown, allowed: MergeMethod[] | undefined): PullStatus["methods"] {
  const { repo } = methods.parse(data).base;
  const ofRepo: [MergeMethod, boolean | undefined][] = [
    ["merge", repo.allow_merge_commit],
    ["squash", repo.allow_squash_merge],
    ["rebase", repo.allow_rebase_merge],
  ];
  return ofRepo
    .filter(([method, isAllowed]) => isAllowed !== false && (allowed?.includes(method) ?? true))
    .map(([method]) => method);
}
