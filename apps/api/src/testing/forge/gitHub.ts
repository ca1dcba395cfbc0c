import { createHmac } from "node:crypto";
import webhookExamples from "@octokit/webhooks-examples";
import {
  type Deliveries,
  type ForgePull,
  fullName,
  type Name,
  type RepositoryFacts,
  stateOf,
  timeAt,
} from "./deliveries";

const example = webhookExamples
  .flatMap(({ examples }) => examples)
  .find((one) => "number" in one && "pull_request" in one && one.action === "closed");

const actions: Partial<Record<ForgePull["action"], string>> = {
  merged: "closed",
  pushed: "synchronize",
  queued: "enqueued",
};

/** GitHub's deliveries, based on its published examples. */
export const gitHub: Deliveries = {
  pullPath: (number) => `/pull/${number}`,
  headers: ({ event, id, body, secret }) => ({
    "x-github-event": event,
    "x-github-delivery": id,
    "x-hub-signature-256": `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`,
  }),
  pull: (of, pull) => ({ event: "pull_request", payload: pullPayload(of, pull) }),
  comment(of, { number, title, author, body }) {
    const comment = { user: { id: 9, login: author }, body, author_association: "NONE" };
    const repository = repositoryPayload(of, 0);
    const { pull_request } = pullPayload(of, { number, title, action: "edited", head: "work", at: 0 });
    return [
      {
        event: "issue_comment",
        payload: { action: "created", issue: { number, title }, comment, repository },
      },
      {
        event: "pull_request_review",
        payload: { action: "submitted", review: comment, pull_request, repository },
      },
      {
        event: "pull_request_review_comment",
        payload: { action: "created", comment, pull_request, repository },
      },
    ];
  },
  check: (of, head) => ({
    event: "check_run",
    payload: { action: "completed", check_run: { head_sha: head }, repository: repositoryPayload(of, 1) },
  }),
  move: (of, from) => ({ event: "repository", payload: movePayload(of, from) }),
};

function movePayload(of: RepositoryFacts, from: Name) {
  const repository = repositoryPayload(of, 50);
  return from.owner === of.name.owner
    ? { action: "renamed", changes: { repository: { name: { from: from.name } } }, repository }
    : {
        action: "transferred",
        changes: { owner: { from: { organization: { login: from.owner } } } },
        repository,
      };
}

const repositoryPayload = (of: RepositoryFacts, at: number) => ({
  ...example?.repository,
  id: of.id,
  name: of.name.name,
  full_name: fullName(of.name),
  owner: { ...example?.repository?.owner, login: of.name.owner },
  html_url: of.page,
  default_branch: of.defaultBranch,
  updated_at: timeAt(of, at),
});

function pullPayload(of: RepositoryFacts, pull: ForgePull) {
  const state = stateOf(pull);
  const isEnded = state === "merged" || state === "closed";
  const time = timeAt(of, pull.at);
  const repository = repositoryPayload(of, pull.at);
  const fork = { ...repository, id: of.id + 1_000_000, full_name: `stranger/${of.name.name}` };
  return {
    ...example,
    action: actions[pull.action] ?? pull.action,
    number: pull.number,
    pull_request: {
      ...example?.pull_request,
      number: pull.number,
      state: isEnded ? "closed" : "open",
      draft: state === "draft",
      merged: state === "merged",
      merged_at: state === "merged" ? time : null,
      updated_at: time,
      closed_at: isEnded ? time : null,
      html_url: `${of.page}${gitHub.pullPath(pull.number)}`,
      title: pull.title ?? "A change",
      body: pull.body ?? null,
      head: { ...example?.pull_request.head, ref: pull.head, repo: pull.isFork ? fork : repository },
      base: { ...example?.pull_request.base, ref: pull.base ?? "main", repo: repository },
    },
    repository,
  };
}
