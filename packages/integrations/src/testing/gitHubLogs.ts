import { type HostedCheck, type HostedRepository, idOfCheck } from "./hostedRepository";
import { pageOf, type Received, type Reply } from "./server";

/** Ids of a check's job, its run and its suite, which differ from the check's. */
const JOB = 1_000_000;
const RUN = 2_000_000;
const SUITE = 3_000_000;

/** A check run as in GitHub's OpenAPI description. */
function checkRunOf(check: HostedCheck) {
  const id = idOfCheck(check);
  const { name, word, report } = check;
  return {
    id,
    name,
    status: "completed",
    conclusion: word,
    app: { id: 1, slug: report ? "another-app" : "github-actions" },
    check_suite: { id: SUITE + id },
    output: { title: null, summary: report?.summary ?? null, text: null },
  };
}

/** GitHub's answers about the log of a check. The log of a job is at another origin. */
export function answerGitHubLogs(
  repo: HostedRepository,
  request: Received,
  { path, url, storageUrl }: { path: string; url: string; storageUrl: string },
): Reply | undefined {
  const find = (pattern: RegExp, offset: number) =>
    repo.findCheck(Number(pattern.exec(path)?.[1] ?? Number.NaN) - offset);
  const run = find(/^\/check-runs\/(\d+)$/, 0);
  if (run) return { json: checkRunOf(run) };
  const annotated = find(/^\/check-runs\/(\d+)\/annotations$/, 0);
  if (annotated) {
    const place = { path: "src/a.ts", start_line: 3, end_line: 3, annotation_level: "failure" };
    const annotations = annotated.report?.annotations ?? [];
    return pageOf(
      annotations.map((message) => ({ ...place, message })),
      request,
      url,
    );
  }
  if (path === "/actions/runs") {
    const id = Number(request.query.get("check_suite_id")) - SUITE;
    const workflow_runs = repo.findCheck(id) ? [{ id: RUN + id }] : [];
    return { json: { total_count: workflow_runs.length, workflow_runs } };
  }
  const inRun = find(/^\/actions\/runs\/(\d+)\/jobs$/, RUN);
  if (inRun) {
    // The jobs of a workflow: this one is on the second page.
    const others = Array.from({ length: 120 }, (_, n) => ({
      id: n,
      check_run_url: `${url}/check-runs/0${n}`,
    }));
    const id = idOfCheck(inRun);
    const { json, headers } = pageOf(
      [...others, { id: JOB + id, check_run_url: `${url}/repos/acme/shop/check-runs/${id}` }],
      request,
      url,
    );
    return { headers, json: { total_count: 121, jobs: json } };
  }
  const job = find(/^\/actions\/jobs\/(\d+)\/logs$/, JOB);
  if (!job) return undefined;
  if (job.log === undefined) return { status: 410, json: { message: "Gone" } };
  return { status: 302, headers: { location: `${storageUrl}/log/${idOfCheck(job)}?sig=signed` } };
}

/** The storage of logs, which refuses a request that has credentials besides its signature. */
export function answerGitHubStorage(hosted: HostedRepository[], request: Received): Reply | undefined {
  if (request.headers.authorization !== undefined) return { status: 400, text: "InvalidAuthenticationInfo" };
  const id = Number(/^\/log\/(\d+)$/.exec(request.path)?.[1]);
  const log = hosted.map((repo) => repo.findCheck(id)?.log).find((found) => found !== undefined);
  if (log === undefined || request.query.get("sig") !== "signed") return undefined;
  return { text: log, headers: { "content-type": "text/plain" } };
}
