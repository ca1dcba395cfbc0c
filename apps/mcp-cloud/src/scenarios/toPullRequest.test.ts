import { gitHubToken, HostedRepository, useGitHubApi } from "@grove/integrations/testing";
import type { ChangeStatus } from "@grove/schemas";
import { type Tenant, useApi } from "@grove/test-api";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { call, connect } from "../testing/client";
import { type Answer, TestDevice } from "../testing/device";
import { orchard } from "../testing/tool";

/** An agent brings its work from uncommitted files to a pull request, with a code host that speaks GitHub's API. */

const gitHub = await useGitHubApi();
const hosts = [gitHub, gitHub.storage].map(({ url }) => new URL(url).host);
const api = useApi({ PUBLIC_URL: "http://grove.example.com", PRIVATE_PROVIDER_HOSTS: hosts.join() });
const BRANCH = "quiet-fern";
const BASE = "0".repeat(40);
const [head, older] = ["a".repeat(40), "b".repeat(40)];

let tenant: Tenant;
let device: TestDevice;
let workspaceId: string;
let hosted: HostedRepository;
/** The device's state of the workspace. */
let status: ChangeStatus;
/** Replaces the device's answer to a tool. */
let refusals: Record<string, Answer>;
let delivered: { tool: string; params: Record<string, unknown> }[];

beforeEach(async () => {
  tenant = await api.signUp("Ada");
  const { client, organizationId } = tenant;
  hosted = new HostedRepository("acme", "orchard");
  gitHub.state.hosted.splice(0, Infinity, hosted);
  status = {
    branch: BRANCH,
    base: "main",
    baseCommit: BASE,
    forkCommit: BASE,
    head: older,
    tree: "c".repeat(40),
    ahead: 0,
    behind: 1,
    remote: "origin",
    remoteHead: older,
    uncommittedFiles: 2,
    conflictsWithBase: [],
    inTheMiddle: null,
    suggestedMessage: "Sign in",
  };
  refusals = {};
  delivered = [];
  device = await TestDevice.register(api, tenant, "bench", ({ tool, params }) => {
    delivered.push({ tool, params });
    return refusals[tool] ?? { result: answerOf(tool) };
  });
  onTestFinished(() => device.disconnect());
  await device.connect();
  const repoUrl = `${gitHub.url.replace("http:", "https:")}/acme/orchard.git`;
  workspaceId = await device.makeWorkspace(organizationId, { ...orchard, repoUrl });
  await client.integration.connect.mutate({
    organizationId,
    provider: "github",
    token: gitHubToken,
    baseUrl: gitHub.url,
  });
});

/** Does what the device's git would do, and answers as the device does. */
function answerOf(tool: string): unknown {
  switch (tool) {
    case "commit_workspace":
      Object.assign(status, { head, ahead: 1, uncommittedFiles: 0 });
      return { commit: head, branch: BRANCH, files: 2, skippedHooks: ["pre-commit"], skipped: [] };
    case "push_branch":
      status.remoteHead = status.head;
      hosted.branches.set(BRANCH, `${status.head}`);
      return { branch: BRANCH, remote: "origin", head: status.head, skippedHooks: [] };
    case "update_from_base":
      return { head: status.head, base: BASE };
    default:
      return status;
  }
}

/** Calls tools of a server that was started in the workspace, unless `env` has another one. */
async function start(env: Record<string, string> = { GROVE_WORKSPACE_ID: workspaceId }) {
  const server = await connect({ API_URL: api.url, API_KEY: tenant.apiKey, ...env });
  return (tool: string, args: object = {}) => call(server, tool, { ...args });
}

it("commits, pushes and opens a pull request, and reads why it cannot be merged", async () => {
  const use = await start();
  expect((await use("get_change")).data).toEqual({
    workspaceId,
    branch: BRANCH,
    state: "idle",
    work: {
      base: "main",
      uncommittedFiles: 2,
      ahead: 0,
      behind: 1,
      pushed: true,
      conflictsWithBase: [],
      inTheMiddle: null,
    },
  });

  expect((await use("commit_workspace", { message: "Sign in by mail" })).data).toEqual({
    workspaceId,
    committed: { commit: head, branch: BRANCH, files: 2, skippedHooks: ["pre-commit"], skipped: [] },
  });
  const early = await use("open_pull_request", { title: "Sign in" });
  expect(early).toMatchObject({ isError: true, text: expect.stringMatching(/^not_pushed: .*push_branch/) });
  expect((await use("push_branch")).data).toMatchObject({ workspaceId, pushed: { head, remote: "origin" } });
  expect(delivered.at(-1)?.params).toMatchObject({ expectHead: head, force: "none" });

  const opened = { workspaceId, number: 1, url: expect.any(String), state: "draft", head, base: "main" };
  const fields = { title: "Sign in by mail", body: "Without a password.", draft: true };
  expect((await use("open_pull_request", fields)).data).toEqual(opened);
  // A second call finds the first one's.
  expect((await use("open_pull_request", { title: "Again" })).data).toEqual(opened);
  expect(hosted.pulls).toMatchObject([{ title: "Sign in by mail", draft: true }]);

  const log = "##[group]Run npm test\nexpected 1 to be 2\u202e\n##[error]Exit 1\n";
  hosted.checks.set(head, [
    { name: "lint", word: "success", required: false },
    { name: "test", word: "failure", required: true, log },
  ]);
  const readNow = async () => (await use("get_change")).data;
  await expect.poll(readNow, { timeout: 10_000 }).toMatchObject({
    work: { uncommittedFiles: 0, pushed: true },
    pullRequest: { number: 1, head, checks: ["test: failed", "lint: passed"] },
    failedCheck: { name: "test", logEnd: expect.stringContaining("expected 1 to be 2") },
  });
  const read = await readNow();
  expect(read?.pullRequest).toMatchObject({
    blocks: expect.arrayContaining([expect.stringMatching(/^draft/)]),
  });
  expect(JSON.stringify(read)).not.toContain("\u202e");
});

it("says what a code host and a device refuse, with the next step", async () => {
  const use = await start();
  const refuse = (reason: string, message: string): Answer => ({ error: { reason, message } });
  refusals = {
    commit_workspace: refuse("nothing_to_commit", "There is nothing to commit."),
    push_branch: refuse("non_fast_forward", "The branch at origin has other commits."),
    update_from_base: refuse("conflicts", "These files conflict: login.ts."),
  };
  const text = async (tool: string, args?: object) => (await use(tool, args)).text;
  expect(await text("commit_workspace", { message: "Again" })).toMatch(
    /^nothing_to_commit: There is nothing/,
  );
  expect(await text("push_branch")).toMatch(/^non_fast_forward: .*other commits/);
  expect(await text("update_from_base", { how: "rebase" })).toMatch(/^conflicts: .*login\.ts/);
  expect(delivered.at(-1)?.params).toMatchObject({ how: "rebase", expectHead: older });
  status.head = null;
  expect(await text("push_branch")).toMatch(/^no_commits: .*commit_workspace/);
  expect(await text("commit_workspace", { message: "" })).toMatch(/^invalid_input: /);
});

it("shows what the code host knows while the device is offline", async () => {
  const use = await start();
  hosted.branches.set(BRANCH, older);
  await use("open_pull_request", { title: "Sign in" });
  device.disconnect();
  const read = async () => (await use("get_change")).data;
  await expect.poll(read).toMatchObject({ work: null, pullRequest: { number: 1, state: "open" } });
});

it("uses a given workspace instead of its own, and requires one where it has none", async () => {
  const elsewhere = await start({});
  expect((await elsewhere("get_change")).text).toMatch(/^invalid_input: workspaceId .*list_workspaces/);
  expect((await elsewhere("update_from_base", { workspaceId })).data).toMatchObject({
    updated: { head: older },
  });
  const other = await start({ GROVE_WORKSPACE_ID: crypto.randomUUID() });
  expect((await other("list_review_comments")).text).toMatch(/^not_found: .*list_workspaces/);
  expect((await other("list_review_comments", { workspaceId })).data).toMatchObject({ comments: [] });
  const invalid = await start({ GROVE_WORKSPACE_ID: "mine" });
  expect((await invalid("finish_task", { summary: "Done." })).text).toMatch(/^invalid_input: workspaceId/);
});
