import * as z from "zod";
import type { LogTail } from "../network/logTail";
import type { ReadLog } from "../network/readLog";
import type { CheckLogOutcome, RepoRef } from "../ports";
import { outcomeOfLog } from "../pulls";
import { type Client, itemsOf } from "./pull";

const checkRun = z.object({
  id: z.number(),
  app: z.object({ slug: z.string().nullish() }).nullable(),
  check_suite: z.object({ id: z.number() }).nullable(),
  output: z.object({ title: z.string().nullable(), summary: z.string().nullable() }),
});
const annotation = z.object({
  path: z.string(),
  start_line: z.number(),
  annotation_level: z.string().nullable(),
  message: z.string().nullable(),
});

/** Reads the log of a check that is a job of Actions, or what another app has reported about its check. */
export async function readCheckLog(
  client: Client,
  readLog: ReadLog,
  repo: RepoRef,
  checkId: string,
): Promise<CheckLogOutcome> {
  const of = { owner: repo.owner, repo: repo.name, check_run_id: Number(checkId) };
  const { data } = await client.request("GET /repos/{owner}/{repo}/check-runs/{check_run_id}", of);
  const run = checkRun.parse(data);
  if (run.app?.slug !== "github-actions") return reportOf(client, repo, run);
  return outcomeOfLog(async () => {
    const jobId = await findJob(client, repo, run);
    return jobId === undefined ? { text: "", linesBefore: 0 } : readJobLog(client, readLog, repo, jobId);
  });
}

/** Finds the job whose `check_run_url` is the check run. */
async function findJob(
  client: Client,
  { owner, name }: RepoRef,
  { id, check_suite }: z.output<typeof checkRun>,
): Promise<number | undefined> {
  if (check_suite === null) return undefined;
  const { data } = await client.request("GET /repos/{owner}/{repo}/actions/runs", {
    owner,
    repo: name,
    check_suite_id: check_suite.id,
  });
  const numbered = z.object({ id: z.number() });
  const job = numbered.extend({ check_run_url: z.string() });
  const [run] = z.object({ workflow_runs: z.array(numbered) }).parse(data).workflow_runs;
  if (!run) return undefined;
  const route = "GET /repos/{owner}/{repo}/actions/runs/{run_id}/jobs";
  const options = { owner, repo: name, run_id: run.id, filter: "all", per_page: 100 } as const;
  for await (const page of itemsOf(client.paginate.iterator(route, options))) {
    const jobs = z.array(job).parse(page);
    const found = jobs.find(({ check_run_url }) => check_run_url.endsWith(`/check-runs/${id}`));
    if (found) return found.id;
  }
  return undefined;
}

/** GitHub answers with a signed address of its storage, which is valid for a minute and gets no credentials. */
async function readJobLog(
  client: Client,
  readLog: ReadLog,
  { owner, name }: RepoRef,
  jobId: number,
): Promise<LogTail | undefined> {
  const { headers } = await client.request("GET /repos/{owner}/{repo}/actions/jobs/{job_id}/logs", {
    owner,
    repo: name,
    job_id: jobId,
    request: { redirect: "manual" },
  });
  return readLog(z.string().parse(headers.location));
}

/** Other apps keep their logs elsewhere. Some report a summary, or annotations of lines. */
async function reportOf(
  client: Client,
  { owner, name }: RepoRef,
  { id, output }: z.output<typeof checkRun>,
): Promise<CheckLogOutcome> {
  const of = { owner, repo: name, check_run_id: id, per_page: 50 };
  const { data } = await client.request(
    "GET /repos/{owner}/{repo}/check-runs/{check_run_id}/annotations",
    of,
  );
  const annotations = z
    .array(annotation)
    .parse(data)
    .map(
      ({ path, start_line, annotation_level, message }) =>
        `${path}:${start_line}: ${annotation_level ?? ""} ${message ?? ""}`,
    );
  const parts = [output.title, output.summary, ...annotations];
  const text = parts.filter((part) => part !== null && part !== "").join("\n");
  return text === "" ? { outcome: "log_elsewhere" } : { outcome: "read", log: { text, linesBefore: 0 } };
}
