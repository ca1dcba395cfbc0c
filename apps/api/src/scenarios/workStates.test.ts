import { newId } from "@grove/db";
import { HostedRepository, useProviders } from "@grove/integrations/testing";
import type { AgentReportSessionInput, WorkState } from "@grove/schemas";
import { seeded } from "@grove/testing/random";
import { afterAll, expect, it } from "vitest";
import { findPullTarget } from "../changes/pulls/pullTarget";
import { readPull } from "../changes/pulls/readPull";
import { anchor } from "../reviews/testing";
import { begin, connectDevice, untilStatus } from "../testing/device";
import { projectFields } from "../testing/fixtures";
import { useTestServer } from "../testing/server";

/*
 * Generated histories of a change: its agent works, asks and finishes, comments are sent, and its pull request changes.
 * After each step, the state that the API returns is compared with a model of the facts.
 */

/** How many histories are tried. */
const HISTORIES = Number(process.env.STATE_HISTORIES ?? 5);
const STEPS = 15;
const SEED = 41;

const providers = await useProviders();
// Only this test reads pull requests.
const pullPolling = { checkingMs: 3_600_000, activeMs: 3_600_000, idleMs: 3_600_000 };
const server = await useTestServer({ integrations: providers.options, pullPolling });
const { services } = server;
const { db } = server.database;
const { organizationId, client } = await server.signUp("Ada");
const { change, review } = client.workspace;
const host = providers.servers.github;
const { credentials } = providers.access.github;
if (credentials.type === "token")
  await client.integration.connect.mutate({ organizationId, provider: "github", token: credentials.token });
const { id: deviceId, apiKey } = await client.device.register.mutate({
  organizationId,
  name: "a",
  platform: "linux",
});
const device = connectDevice(server.url, apiKey, {
  capabilities: ["send_review_round"],
  run: async ({ id }, self) => {
    await begin({ id }, self);
    await self.client.agent.complete.mutate({ id, journalId: self.journalId, result: { bytes: 1 } });
  },
});
afterAll(() => device.disconnect());
await untilStatus(client, organizationId, deviceId, "online");

type AgentState = Extract<AgentReportSessionInput, { type: "state" }>["state"];

/** The facts of a change that decide its state. */
interface Facts {
  /** The state of its running agent; null before the first report. */
  agent?: { id: string; state: AgentState | null; reports: number };
  isFinished: boolean;
  /** Whether the running agent has got comments. */
  hasComments: boolean;
  pull?: {
    state: "open" | "merged" | "closed";
    head: string;
    checks: "none" | "running" | "failed" | "passed";
    hasConflicts: boolean;
    approvedHead?: string;
  };
}

/** The state by the order of urgency that the design states. */
function expectedState({ agent, isFinished, hasComments, pull }: Facts): WorkState {
  const open = pull?.state === "open" ? pull : undefined;
  const isApproved = open !== undefined && open.approvedHead === open.head;
  if (agent?.state === "needs_permission" || agent?.state === "needs_answer") return "needs_input";
  if (open?.checks === "failed") return "checks_failed";
  if (open?.hasConflicts) return "conflicts";
  if (isFinished && !isApproved && (open || !pull)) return "ready";
  if (!isFinished && hasComments && agent) return "changes_requested";
  if (agent?.state === "working") return "working";
  if (open?.checks === "running") return "checks";
  if (isApproved) return "approved";
  if (open) return "ready";
  if (pull?.state === "merged" || pull?.state === "closed") return pull.state;
  return "idle";
}

/** A change of a task at a code host, with its facts and the steps that change both. */
async function newChange() {
  const hosted = new HostedRepository("acme", `orchard-${newId()}`);
  host.state.hosted.push(hosted);
  let commits = 0;
  const push = () => {
    commits += 1;
    const commit = commits.toString(16).padStart(40, "a");
    hosted.branches.set("work", commit);
    return commit;
  };
  push();
  const repoUrl = `https://github.com/acme/${hosted.name}.git`;
  const project = { ...projectFields(), repoOwner: "acme", repoName: hosted.name, repoUrl };
  const { id: projectId } = await client.project.create.mutate({ organizationId, ...project });
  const task = await client.task.create.mutate({ organizationId, title: "A task", projectId });
  await client.task.update.mutate({ organizationId, id: task.id, branch: "work" });
  const workspaceId = newId();
  const workspace = { id: workspaceId, name: "w", type: "worktree" as const, config: { branchName: "work" } };
  await device.client.workspace.ensure.mutate({ organizationId, project, workspace });
  const [made] = await change.list.query({ organizationId, workspaceId });
  const of = { organizationId, changeId: made?.id ?? "" };
  const facts: Facts = { isFinished: false, hasComments: false };

  const report = async (agent: NonNullable<Facts["agent"]>, state: AgentState) => {
    if (agent.state === state) return;
    agent.reports += 1;
    const about = { type: "state", id: agent.id, number: agent.reports, source: "hook" } as const;
    await device.client.agent.reportSession.mutate({ ...about, state, ageMs: 0, requests: [] });
    agent.state = state;
    // Another turn begins.
    if (state === "working") facts.isFinished = false;
  };
  const hostedPull = () => hosted.pulls.at(-1) ?? expect.unreachable();
  const readAgain = async () => {
    await readPull(services, await findPullTarget(db, of));
  };
  const openPull = () => (facts.pull?.state === "open" ? facts.pull : undefined);

  const steps: Record<string, () => Promise<unknown>> = {
    startAgent: async () => {
      if (facts.agent) return;
      const id = newId();
      const { journalId } = device;
      await device.client.agent.reportSession.mutate({
        type: "start",
        id,
        journalId,
        workspaceId,
        agent: "claude",
      });
      facts.agent = { id, state: null, reports: 0 };
      facts.hasComments = false;
    },
    work: async () => facts.agent && report(facts.agent, "working"),
    askPermission: async () => facts.agent && report(facts.agent, "needs_permission"),
    askQuestion: async () => facts.agent && report(facts.agent, "needs_answer"),
    endTurn: async () => facts.agent && report(facts.agent, "done"),
    endAgent: async () => {
      if (!facts.agent) return;
      const { id } = facts.agent;
      await device.client.agent.reportSession.mutate({ type: "end", id, status: "exited", exitCode: 0 });
      facts.agent = undefined;
    },
    finish: async () => {
      // Work that is finished after the end of a pull request depends on the clock of the code host.
      if (facts.pull && facts.pull.state !== "open") return;
      await change.finish.mutate({ organizationId, workspaceId, summary: "Done.", tests: [] });
      facts.isFinished = true;
    },
    sendComments: async () => {
      if (!facts.agent) return;
      await review.save.mutate({ ...of, id: newId(), anchor, body: "Name it better." });
      const { status } = await review.send.mutate({ ...of, sessionId: facts.agent.id });
      expect(status).toBe("delivered");
      Object.assign(facts, { hasComments: true, isFinished: false });
    },
    openPull: async () => {
      if (facts.pull) return;
      hosted.open({ title: "Work", body: "", draft: false, head: "work", base: "main" });
      facts.pull = {
        state: "open",
        head: hosted.headOf({ head: "work" }),
        checks: "none",
        hasConflicts: false,
      };
      await readAgain();
    },
    push: async () => {
      const pull = openPull();
      if (!pull) return;
      // A required check that has not begun counts as running.
      Object.assign(pull, { head: push(), checks: hosted.checks.size > 0 ? "running" : "none" });
      await readAgain();
    },
    approve: async () => {
      const pull = openPull();
      if (!pull) return;
      await change.approve.mutate({ ...of, head: pull.head });
      pull.approvedHead = pull.head;
    },
    withdraw: async () => {
      const pull = openPull();
      if (!pull || pull.approvedHead !== pull.head) return;
      await change.unapprove.mutate({ ...of, head: pull.head });
      pull.approvedHead = undefined;
    },
    conflict: async () => {
      const pull = openPull();
      if (!pull) return;
      pull.hasConflicts = !pull.hasConflicts;
      hosted.word = pull.hasConflicts ? "dirty" : undefined;
      await readAgain();
    },
    ...Object.fromEntries(
      (
        [
          ["running", "in_progress"],
          ["failed", "failure"],
          ["passed", "success"],
        ] as const
      ).map(([checks, word]) => [
        `checks ${checks}`,
        async () => {
          const pull = openPull();
          if (!pull) return;
          hosted.checks.set(pull.head, [{ name: "test", word, required: true }]);
          pull.checks = checks;
          await readAgain();
        },
      ]),
    ),
    ...Object.fromEntries(
      (["merged", "closed"] as const).map((state) => [
        state,
        async () => {
          const pull = openPull();
          if (!pull) return;
          const ended = {
            state,
            updatedAt: hosted.tick(),
            ...(state === "merged" && { mergedCommit: pull.head }),
          };
          Object.assign(hostedPull(), ended);
          pull.state = state;
          await readAgain();
        },
      ]),
    ),
  };

  /** Checks the state everywhere that it is returned. */
  const check = async (history: readonly string[]) => {
    const expected = expectedState(facts);
    const [found, ofTask, waiting] = await Promise.all([
      change.get.query({ organizationId, id: of.changeId }),
      client.task.get.query({ organizationId, id: task.id }),
      change.list.query({ organizationId, waits: true, workspaceId }),
    ]);
    const waits = ["needs_input", "checks_failed", "conflicts", "ready", "approved"].includes(expected);
    expect([found.workState, ofTask.changeState, waiting.length], history.join(", ")).toEqual([
      expected,
      expected,
      waits ? 1 : 0,
    ]);
    return expected;
  };
  return { steps, check };
}

it("has the state that its history implies after each step", {
  timeout: 60_000 + HISTORIES * 10_000,
}, async () => {
  const random = seeded(SEED);
  const seen = new Set<WorkState>();
  for (let n = 0; n < HISTORIES; n++) {
    const { steps, check } = await newChange();
    // The events that end a change are rare, so that most histories are longer.
    const names = Object.keys(steps).flatMap((name) =>
      name === "merged" || name === "closed" ? [name] : [name, name, name],
    );
    const history: string[] = [];
    for (let step = 0; step < STEPS; step++) {
      const name = names[Math.floor(random() * names.length)] ?? "";
      history.push(name);
      await steps[name]?.();
      seen.add(await check(history));
    }
  }
  expect(seen.size).toBeGreaterThan(5);
});
