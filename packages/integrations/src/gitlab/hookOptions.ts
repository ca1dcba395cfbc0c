import { ProviderError } from "../errors";

/** Events by the names that the code hosts share, and by GitLab's own (docs.gitlab.com/api/project_webhooks). */
const options = {
  push: "pushEvents",
  tag_push: "tagPushEvents",
  create: "tagPushEvents",
  pull_request: "mergeRequestsEvents",
  merge_requests: "mergeRequestsEvents",
  issues: "issuesEvents",
  issue_comment: "noteEvents",
  note: "noteEvents",
  release: "releasesEvents",
  releases: "releasesEvents",
  workflow_run: "pipelineEvents",
  pipeline: "pipelineEvents",
  workflow_job: "jobEvents",
  job: "jobEvents",
  deployment: "deploymentEvents",
} as const;
type HookOption = (typeof options)[keyof typeof options];

/**
 * The options of a hook for these events; `*` means all.
 * @throws {ProviderError} `refused` for an unknown event
 */
export function hookOptions(events: string[]): Record<HookOption, boolean> {
  const all = [...new Set(Object.values(options))];
  const unknown = events.filter((event) => event !== "*" && !Object.hasOwn(options, event));
  if (unknown.length > 0)
    throw new ProviderError("refused", {
      detail: `it has no event ${unknown.join(", ")}; its events are ${Object.keys(options).join(", ")}`,
    });
  const wanted = events.includes("*") ? all : events.map((event) => options[event as keyof typeof options]);
  // Pushes are on unless they are switched off.
  return Object.fromEntries(all.map((option) => [option, wanted.includes(option)])) as Record<
    HookOption,
    boolean
  >;
}
