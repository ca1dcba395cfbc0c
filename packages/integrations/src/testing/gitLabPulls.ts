import { type HostedPull, type HostedRepository, idOfCheck } from "./hostedRepository";
import { pageOf, type Received, type Reply } from "./server";

const refusals = {
  unknown_branch: { status: 400, json: { message: ["Source branch does not exist"] } },
  exists: { status: 409, json: { message: ["Another open merge request already exists"] } },
  // GitLab accepts one without changes; its description has no such answer.
  no_difference: { status: 400, json: { message: ["No changes"] } },
} satisfies Record<string, Reply>;

const pageOfProject = ({ owner, name }: HostedRepository) => `https://gitlab.com/${owner}/${name}`;

/** docs.gitlab.com/api/projects */
const projectOf = (repo: HostedRepository) => ({
  id: repo.id,
  path: repo.name,
  name: repo.name,
  path_with_namespace: `${repo.owner}/${repo.name}`,
  namespace: { id: 3, kind: "group", full_path: repo.owner },
  web_url: pageOfProject(repo),
  default_branch: "main",
  merge_method: "merge",
  visibility: "private",
  squash_option: repo.methods.includes("squash") ? "default_off" : "never",
  merge_trains_enabled: repo.hasQueue,
});

/** docs.gitlab.com/api/merge_requests */
function mergeRequestOf(repo: HostedRepository, pull: HostedPull) {
  const { number, title, body, draft, state } = pull;
  const isFailed = repo.checksOf(pull).some(({ required, word }) => required && word === "failed");
  const ofChecks = isFailed ? "ci_must_pass" : "ci_still_running";
  const blocked = draft ? "draft_status" : repo.isBlocked(pull) ? ofChecks : "mergeable";
  return {
    id: number,
    iid: number,
    title,
    description: body,
    draft,
    state: state === "open" ? "opened" : state,
    source_branch: pull.head,
    target_branch: pull.base,
    target_project_id: repo.id,
    source_project_id: pull.isFork ? repo.id + 1_000_000 : repo.id,
    sha: pull.mergedCommit ?? repo.headOf(pull),
    updated_at: pull.updatedAt,
    merged_at: state === "merged" ? pull.updatedAt : null,
    web_url: `${pageOfProject(repo)}/-/merge_requests/${number}`,
    detailed_merge_status: state === "open" ? (repo.word ?? blocked) : "not_open",
    blocking_discussions_resolved: true,
    head_pipeline: repo.checksOf(pull).length === 0 ? null : { id: number, status: "running" },
  };
}

/** GitLab's answers about a project's merge requests and jobs. */
export function answerGitLabPulls(
  repo: HostedRepository,
  request: Received,
  { path, url }: { path: string; url: string },
): Reply | undefined {
  const { method, query, body } = request;
  const route = `${method} ${path}`;
  if (route === "GET ") return { json: projectOf(repo) };
  if (route === "GET /merge_requests") {
    const found = repo.pulls
      .filter(({ state }) => query.get("state") !== "opened" || state === "open")
      .filter(({ head }) => !query.has("source_branch") || query.get("source_branch") === head)
      .filter(({ base }) => !query.has("target_branch") || query.get("target_branch") === base);
    return pageOf(
      found.toReversed().map((pull) => mergeRequestOf(repo, pull)),
      request,
      url,
    );
  }
  if (route === "POST /merge_requests") {
    const { title, description = "", source_branch, target_branch } = body as Record<string, string>;
    const draft = title?.startsWith("Draft: ") ?? false;
    const fields = { title: title ?? "", body: description, draft };
    const opened = repo.open({ ...fields, head: source_branch ?? "", base: target_branch ?? "" });
    if (typeof opened === "string") return refusals[opened];
    return { status: 201, json: mergeRequestOf(repo, opened) };
  }
  const [, number, action] = /^\/merge_requests\/(\d+)(\/merge)?$/.exec(path) ?? [];
  const pull = repo.pulls.find((one) => one.number === Number(number));
  if (pull && method === "GET" && !action) return { json: mergeRequestOf(repo, pull) };
  if (pull && method === "PUT" && !action) {
    const { title } = body as { title: string };
    Object.assign(pull, { title, draft: title.startsWith("Draft: "), updatedAt: repo.tick() });
    return { json: mergeRequestOf(repo, pull) };
  }
  if (pull && method === "PUT" && action) return merge(repo, pull, body as { sha?: string });
  const inTrain = repo.pulls.find((one) => path === `/merge_trains/merge_requests/${one.number}`);
  if (inTrain && method === "GET") return repo.queue.has(inTrain) ? { json: carOf(repo, inTrain) } : notFound;
  if (inTrain && method === "POST") return enqueue(repo, inTrain, body as { sha?: string });
  const job = repo.findCheck(Number(/^\/jobs\/(\d+)\/trace$/.exec(path)?.[1]));
  if (job?.log !== undefined) return { text: job.log, headers: { "content-type": "text/plain" } };
  const pipeline = Number(/^\/pipelines\/(\d+)\/jobs$/.exec(path)?.[1]);
  const ofPipeline = repo.pulls.find((one) => one.number === pipeline);
  return ofPipeline ? pageOf(jobsOf(repo, ofPipeline), request, url) : undefined;
}

const jobsOf = (repo: HostedRepository, pull: HostedPull) =>
  repo.checksOf(pull).map((check) => ({
    id: idOfCheck(check),
    name: check.name,
    status: check.word,
    allow_failure: !check.required,
    stage: "test",
    web_url: `https://ci.example.com/${encodeURIComponent(check.name)}`,
  }));

const notFound: Reply = { status: 404, json: { message: "404 Not Found" } };

/** A place in a merge train (docs.gitlab.com/api/merge_trains). */
const carOf = (repo: HostedRepository, pull: HostedPull) => ({
  id: pull.number,
  merge_request: mergeRequestOf(repo, pull),
  user: { id: 1, username: "root" },
  pipeline: null,
  created_at: pull.updatedAt,
  updated_at: pull.updatedAt,
  target_branch: pull.base,
  status: "fresh",
  merged_at: null,
  duration: null,
});

function enqueue(repo: HostedRepository, pull: HostedPull, { sha }: { sha?: string }): Reply {
  const outcome = repo.enqueue(pull, sha);
  if (outcome === "queued")
    return { status: 201, json: [...repo.queue.keys()].map((one) => carOf(repo, one)) };
  if (outcome === "refused")
    return { status: 400, json: { message: "Failed to add the merge request to the train" } };
  return { status: 409, json: { message: "SHA does not match HEAD of source branch" } };
}

function merge(repo: HostedRepository, pull: HostedPull, { sha }: { sha?: string }): Reply {
  const outcome = repo.merge(pull, sha);
  if (outcome === "merged") return { json: mergeRequestOf(repo, pull) };
  if (outcome === "refused") return { status: 405, json: { message: "405 Method Not Allowed" } };
  return { status: 409, json: { message: "SHA does not match HEAD of source branch" } };
}
