import {
  type Deliveries,
  type ForgePull,
  fullName,
  type RepositoryFacts,
  stateOf,
  timeAt,
} from "./deliveries";

const actions: Partial<Record<ForgePull["action"], string>> = {
  opened: "open",
  closed: "close",
  merged: "merge",
  reopened: "reopen",
};

/** GitLab's deliveries, as its documentation describes them. */
export const gitLab: Deliveries = {
  pullPath: (number) => `/-/merge_requests/${number}`,
  headers: ({ event, id, secret }) => ({
    "x-gitlab-event": event,
    "idempotency-key": id,
    "x-gitlab-token": secret,
  }),
  pull: (of, pull) => ({ event: "Merge Request Hook", payload: pullPayload(of, pull) }),
  comment: (of, { number, title, author, body }) => [
    {
      event: "Note Hook",
      payload: {
        object_kind: "note",
        user: { id: 9, name: author, username: author },
        project: projectPayload(of),
        object_attributes: { id: 1, note: body, noteable_type: "MergeRequest" },
        merge_request: { iid: number, title },
      },
    },
  ],
  check: (of, head) => ({
    event: "Pipeline Hook",
    payload: {
      object_kind: "pipeline",
      object_attributes: { id: 1, sha: head, status: "success" },
      project: projectPayload(of),
    },
  }),
  move: () => undefined,
};

const projectPayload = ({ id, name }: RepositoryFacts) => ({ id, path_with_namespace: fullName(name) });

function pullPayload(of: RepositoryFacts, pull: ForgePull) {
  const state = stateOf(pull);
  return {
    object_kind: "merge_request",
    event_type: "merge_request",
    user: { id: 1, name: "Administrator", username: "root" },
    project: {
      ...projectPayload(of),
      name: of.name.name,
      web_url: of.page,
      default_branch: of.defaultBranch,
    },
    object_attributes: {
      id: 99,
      iid: pull.number,
      action: actions[pull.action] ?? "update",
      state: state === "merged" || state === "closed" ? state : "opened",
      draft: state === "draft",
      source_branch: pull.head,
      target_branch: pull.base ?? "main",
      source_project_id: pull.isFork ? of.id + 1_000_000 : of.id,
      target_project_id: of.id,
      title: pull.title ?? "A change",
      description: pull.body ?? "",
      url: `${of.page}${gitLab.pullPath(pull.number)}`,
      updated_at: timeAt(of, pull.at).replace("T", " ").replace("Z", " UTC"),
    },
  };
}
