import { type MergeMethod, mergeMethod, type PullBlock } from "@grove/schemas";
import * as z from "zod";
import { providerErrorIn } from "../errors";
import { collect } from "../pages";
import type { RepoRef } from "../ports";
import { type Client, itemsOf } from "./pull";

/** The requirements of a branch for pull requests into it. */
export interface Rules {
  /** Names of checks that must pass. */
  required: string[];
  blocks: PullBlock[];
  /** Whether only the merge queue of the branch may merge. */
  hasQueue: boolean;
  /** The allowed methods; undefined if the rules do not restrict them. */
  methods: MergeMethod[] | undefined;
  threadsOpen: number | null;
}

const rule = z.object({
  type: z.string(),
  parameters: z
    .object({
      required_status_checks: z.array(z.object({ context: z.string() })).optional(),
      allowed_merge_methods: z.array(z.string()).optional(),
    })
    .nullish(),
});

/** Classic branch protection, which only GitHub's GraphQL API shows to users with read access. */
const QUERY = `query ($owner: String!, $name: String!, $base: String!, $number: Int!) {
  repository(owner: $owner, name: $name) {
    mergeQueue(branch: $base) { id }
    pullRequest(number: $number) {
      mergeQueueEntry { state }
      reviewDecision
      reviewThreads(first: 100) { nodes { isResolved } }
      commits(last: 1) { nodes { commit { statusCheckRollup { contexts(first: 100) { nodes {
        __typename
        ... on CheckRun { name isRequired(pullRequestNumber: $number) }
        ... on StatusContext { context isRequired(pullRequestNumber: $number) }
      } } } } } }
    }
  }
}`;
const context = z.object({
  name: z.string().optional(),
  context: z.string().optional(),
  isRequired: z.boolean(),
});
const protection = z.object({
  repository: z.object({
    mergeQueue: z.object({ id: z.string() }).nullable(),
    pullRequest: z.object({
      mergeQueueEntry: z.object({ state: z.string() }).nullable(),
      reviewDecision: z.string().nullable(),
      reviewThreads: z.object({ nodes: z.array(z.object({ isResolved: z.boolean() })) }),
      commits: z.object({
        nodes: z.array(
          z.object({
            commit: z.object({
              statusCheckRollup: z.object({ contexts: z.object({ nodes: z.array(context) }) }).nullable(),
            }),
          }),
        ),
      }),
    }),
  }),
});

interface PullKey {
  number: number;
  base: string;
}

/**
 * Reads the rules of a pull request's base. If the rules cannot be read, the merge is blocked, since it could bypass
 * them.
 */
export async function readRules(client: Client, repo: RepoRef, pull: PullKey): Promise<Rules> {
  try {
    const [rules, classic] = await Promise.all([
      readRulesets(client, repo, pull.base),
      readProtection(client, repo, pull),
    ]);
    const hasQueue = classic.hasQueue || rules.some(({ type }) => type === "merge_queue");
    const contexts = rules.flatMap(({ parameters }) => parameters?.required_status_checks ?? []);
    const lists = rules.flatMap(({ parameters }) =>
      parameters?.allowed_merge_methods ? [parameters.allowed_merge_methods] : [],
    );
    return {
      required: [...new Set([...contexts.map((one) => one.context), ...classic.required])],
      blocks: classic.blocks,
      hasQueue,
      methods:
        lists.length === 0
          ? undefined
          : mergeMethod.options.filter((method) => lists.every((list) => list.includes(method))),
      threadsOpen: classic.threadsOpen,
    };
  } catch (error) {
    const failure = providerErrorIn(error);
    const isUnreadable = failure && ["forbidden", "not_found", "refused"].includes(failure.failure);
    if (!isUnreadable && !isGraphqlError(error)) throw error;
    const detail = failure?.detail ?? "GraphQL";
    return {
      required: [],
      blocks: [{ code: "rules_unknown", detail }],
      hasQueue: false,
      methods: undefined,
      threadsOpen: null,
    };
  }
}

const isGraphqlError = (error: unknown) => error instanceof Error && error.name === "GraphqlResponseError";

async function readRulesets(client: Client, { owner, name }: RepoRef, branch: string) {
  const pages = client.paginate.iterator("GET /repos/{owner}/{repo}/rules/branches/{branch}", {
    owner,
    repo: name,
    branch,
    per_page: 100,
  });
  const found = await collect(itemsOf(pages));
  return z.array(rule).parse(found);
}

/** GitHub's review decisions. An unknown value blocks the merge. */
const decisions: Record<string, PullBlock["code"] | "none"> = {
  APPROVED: "none",
  REVIEW_REQUIRED: "review_required",
  CHANGES_REQUESTED: "changes_requested",
};

async function readProtection(client: Client, { owner, name }: RepoRef, { number, base }: PullKey) {
  const answer = protection.parse(await client.graphql(QUERY, { owner, name, base, number }));
  const { mergeQueue, pullRequest } = answer.repository;
  const { mergeQueueEntry: entry, reviewDecision: decision, reviewThreads, commits } = pullRequest;
  const code = decision === null ? "none" : (decisions[decision] ?? "provider");
  const blocks: PullBlock[] = code === "none" ? [] : [{ code, detail: decision ?? "" }];
  if (entry) blocks.push({ code: "queued", detail: entry.state });
  const contexts = commits.nodes.flatMap(({ commit }) => commit.statusCheckRollup?.contexts.nodes ?? []);
  return {
    hasQueue: mergeQueue !== null,
    blocks,
    required: contexts.filter((one) => one.isRequired).map((one) => one.name ?? one.context ?? ""),
    threadsOpen: reviewThreads.nodes.filter(({ isResolved }) => !isResolved).length,
  };
}
