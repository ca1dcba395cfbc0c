import { answerGitHubLogs } from "./gitHubLogs";
import { type HostedPull, type HostedRepository, idOfCheck } from "./hostedRepository";
import { pageOf, type Received, type Reply } from "./server";

const documentation_url = "https://docs.github.com/rest/pulls/pulls";
const invalid = (message: string): Reply => ({
  status: 422,
  json: {
    message: "Validation Failed",
    errors: [{ resource: "PullRequest", code: "custom", message }],
    documentation_url,
  },
});

const refusals = {
  unknown_branch: invalid("head invalid"),
  exists: invalid("A pull request already exists for acme:work."),
  no_difference: invalid("No commits between main and work"),
};

const repositoryOf = ({ id, owner, name, methods }: HostedRepository) => ({
  id,
  name,
  full_name: `${owner}/${name}`,
  owner: { login: owner, id: 1 },
  private: true,
  html_url: `https://github.com/${owner}/${name}`,
  default_branch: "main",
  updated_at: "2026-01-01T00:00:00Z",
  allow_merge_commit: methods.includes("merge"),
  allow_squash_merge: methods.includes("squash"),
  allow_rebase_merge: methods.includes("rebase"),
});

const nodeIdOf = ({ id }: HostedRepository, { number }: HostedPull) => `PR_${id}_${number}`;

/** A pull request as in GitHub's OpenAPI description; `mergeable` is only in an answer about one. */
function pullOf(repo: HostedRepository, pull: HostedPull, isAlone: boolean) {
  const { number, title, body, draft, state } = pull;
  const isMerged = state === "merged";
  const base = repositoryOf(repo);
  const isBlocked = repo.isBlocked(pull) || repo.hasQueue;
  const word = repo.word ?? (draft ? "draft" : isBlocked ? "blocked" : "clean");
  return {
    id: number,
    node_id: nodeIdOf(repo, pull),
    number,
    title,
    body,
    draft,
    state: isMerged ? "closed" : state,
    user: { login: "octocat", id: 1 },
    html_url: `${base.html_url}/pull/${number}`,
    head: {
      label: `${repo.owner}:${pull.head}`,
      ref: pull.head,
      sha: pull.mergedCommit ?? repo.headOf(pull),
      repo: pull.isFork ? { ...base, id: base.id + 1_000_000 } : base,
    },
    base: { label: `${repo.owner}:${pull.base}`, ref: pull.base, repo: base },
    created_at: pull.updatedAt,
    updated_at: pull.updatedAt,
    closed_at: isMerged ? pull.updatedAt : null,
    merged_at: isMerged ? pull.updatedAt : null,
    ...(pull.stack && { stack: { id: 1, number: 1, base: { ref: pull.base }, ...pull.stack } }),
    ...(isAlone && {
      merged: isMerged,
      mergeable_state: word,
      mergeable: word === "unknown" ? null : word !== "dirty",
    }),
  };
}

/** GitHub's answers about pull requests, checks and rules of a repository. */
export function answerGitHubPulls(
  repo: HostedRepository,
  request: Received,
  { path, url, storageUrl }: { path: string; url: string; storageUrl: string },
): Reply | undefined {
  const { method, query } = request;
  const route = `${method} ${path}`;
  if (route === "GET /pulls") {
    const found = repo.pulls
      .filter((pull) => query.get("state") !== "open" || pull.state === "open")
      .filter((pull) => !query.has("head") || query.get("head") === `${repo.owner}:${pull.head}`)
      .filter((pull) => !query.has("base") || query.get("base") === pull.base);
    return pageOf(
      found.toReversed().map((pull) => pullOf(repo, pull, false)),
      request,
      url,
    );
  }
  if (route === "POST /pulls") {
    const opened = repo.open(request.body as Parameters<HostedRepository["open"]>[0]);
    if (typeof opened === "string") return refusals[opened];
    return { status: 201, json: pullOf(repo, opened, true) };
  }
  const [, number, action] = /^\/pulls\/(\d+)(\/merge)?$/.exec(path) ?? [];
  const pull = repo.pulls.find((one) => one.number === Number(number));
  if (pull && method === "GET" && !action) return { json: pullOf(repo, pull, true) };
  if (pull && method === "PUT" && action) return merge(repo, pull, request);
  if (path.startsWith("/rules/branches/")) return pageOf(rulesOf(repo), request, url);
  const [, sha, kind] = /^\/commits\/(\w+)\/(check-runs|status)$/.exec(path) ?? [];
  if (sha !== undefined) return checks(repo, sha, kind === "status", request, url);
  return answerGitHubLogs(repo, request, { path, url, storageUrl });
}

function merge(repo: HostedRepository, pull: HostedPull, { body }: Received): Reply {
  const { sha, merge_method = "merge" } = body as { sha?: string; merge_method?: string };
  const outcome = repo.methods.includes(merge_method) ? repo.merge(pull, sha) : "refused";
  if (outcome === "merged")
    return { json: { sha: pull.mergedCommit, merged: true, message: "Pull Request successfully merged" } };
  if (outcome === "refused")
    return { status: 405, json: { message: "Pull Request is not mergeable", documentation_url } };
  const message = "Head branch was modified. Review and try the merge again.";
  return { status: 409, json: { message, documentation_url } };
}

function rulesOf(repo: HostedRepository): unknown[] {
  const contexts = [...repo.checks.values()].flat().filter(({ required }) => required);
  const required_status_checks = [...new Set(contexts.map(({ name }) => name))].map((context) => ({
    context,
  }));
  return [
    { type: "deletion", ruleset_source_type: "Repository", ruleset_id: 42 },
    { type: "required_status_checks", parameters: { required_status_checks } },
  ];
}

function checks(
  repo: HostedRepository,
  sha: string,
  isStatus: boolean,
  request: Received,
  url: string,
): Reply {
  const found = (repo.checks.get(sha) ?? []).filter(({ kind = "run" }) => (kind === "status") === isStatus);
  const address = (name: string) => `https://ci.example.com/${encodeURIComponent(name)}`;
  if (isStatus) {
    const statuses = found.map(({ name, word }) => ({
      context: name,
      state: word,
      target_url: address(name),
    }));
    const { json, headers } = pageOf(statuses, request, url);
    const total_count = statuses.length;
    return { headers, json: { state: "pending", sha, total_count, statuses: json, url: `${url}/status` } };
  }
  const isRunning = (word: string) => ["queued", "in_progress", "pending"].includes(word);
  const check_runs = found.map((check) => ({
    id: idOfCheck(check),
    name: check.name,
    head_sha: sha,
    html_url: address(check.name),
    status: isRunning(check.word) ? check.word : "completed",
    conclusion: isRunning(check.word) ? null : check.word,
  }));
  const { json, headers } = pageOf(check_runs, request, url);
  return { headers, json: { total_count: check_runs.length, check_runs: json } };
}

/** GitHub's answer to a GraphQL query of the protection of a pull request's base. */
export function answerGitHubProtection(repo: HostedRepository, number: number): Reply {
  const pull = repo.pulls.find((one) => one.number === number);
  const contexts = (pull ? repo.checksOf(pull) : []).map(({ name, kind, required }) =>
    kind === "status"
      ? { __typename: "StatusContext", context: name, isRequired: required }
      : { __typename: "CheckRun", name, isRequired: required },
  );
  const statusCheckRollup = contexts.length === 0 ? null : { contexts: { nodes: contexts } };
  const pullRequest = pull && {
    mergeQueueEntry: repo.queue.has(pull) ? { state: "AWAITING_CHECKS" } : null,
    reviewDecision: repo.reviewDecision,
    reviewThreads: { nodes: [] },
    commits: { nodes: [{ commit: { statusCheckRollup } }] },
  };
  const mergeQueue = repo.hasQueue ? { id: "MQ_1" } : null;
  return { json: { data: { repository: { mergeQueue, pullRequest: pullRequest ?? null } } } };
}

/** GitHub's answer to a GraphQL mutation that adds a pull request to a merge queue, or makes a draft ready. */
export function answerGitHubMutation(
  repos: HostedRepository[],
  query: string,
  { pullRequestId, expectedHeadOid }: Record<string, string>,
): Reply {
  const [repo, pull] =
    repos
      .flatMap((one) => one.pulls.map((each) => [one, each] as const))
      .find((found) => nodeIdOf(...found) === pullRequestId) ?? [];
  if (query.includes("markPullRequestReadyForReview")) return answerReady(repo, pull);
  const outcome = repo && pull ? repo.enqueue(pull, expectedHeadOid) : "refused";
  if (outcome === "queued")
    return { json: { data: { enqueuePullRequest: { mergeQueueEntry: { state: "QUEUED" } } } } };
  return unprocessable(
    "enqueuePullRequest",
    outcome === "head_moved" ? "Pull request head has changed." : "Pull request is not ready to be queued.",
  );
}

function answerReady(repo: HostedRepository | undefined, pull: HostedPull | undefined): Reply {
  const field = "markPullRequestReadyForReview";
  if (!repo || !pull || pull.state !== "open") return unprocessable(field, "Pull request is closed.");
  if (pull.draft) Object.assign(pull, { draft: false, updatedAt: repo.tick() });
  return { json: { data: { [field]: { pullRequest: { isDraft: false } } } } };
}

const unprocessable = (field: string, message: string): Reply => ({
  json: { data: { [field]: null }, errors: [{ type: "UNPROCESSABLE", path: [field], message }] },
});
