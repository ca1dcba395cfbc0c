import { existsSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";
import { expect, it } from "vitest";
import { startHostedWork } from "./testing/hostedWork";
import { useJourney } from "./testing/journey";
import { byKeyboard } from "./testing/keys";
import { useProviders } from "./testing/providers";

const providers = await useProviders();
const journey = useJourney(providers.env);

/** The time limit of the whole way, which has the steps of several other journeys. */
const LONG_MS = 240_000;

const LOG = "##[group]Run npm test\nexpected 403 to be 423\n##[error]Process completed with exit code 1.\n";

it(
  "takes an agent's work from done to merged by keyboard: review, round, pull request, red check, round, merge",
  async () => {
    const work = await startHostedWork(journey, providers);
    const { page, client, organizationId, hosted, task, workspaceId, path, git, headOf } = work;
    const keys = byKeyboard(page);
    const [change = { id: "" }] = await client.workspace.change.list.query({ organizationId, workspaceId });
    const state = async () =>
      (await client.workspace.change.get.query({ organizationId, id: change.id })).workState;
    const taskState = async () => (await client.task.get.query({ organizationId, id: task.id })).statusType;
    const printed = async () => stripVTControlCharacters(await work.output()).replaceAll("\r", "");

    const goToNow = async () => {
      await keys.press("g");
      await keys.press("n");
      await page.getByRole("heading", { name: "Now", exact: true }).waitFor();
    };

    // The agent has finished. The change waits on the page Now.
    await goToNow();
    const waiting = page.getByRole("listitem").filter({ hasText: "Ready for review" });
    await keys.enter(waiting.getByRole("link", { name: "Sign in" }));
    const finished = page.getByRole("region", { name: "Finished work" });
    await finished.getByText("Finished: Users can sign in.").waitFor();
    await work.untilTurnEnds();
    expect(await state()).toBe("ready");
    const changes = page.getByRole("region", { name: "Changes" });
    await changes.getByText("404").waitFor();

    // Two lines get a comment each, which are sent in one round.
    const review = page.getByRole("region", { name: "Review" });
    const comment = (text: string) => review.getByRole("listitem").filter({ hasText: text });
    const secret = "Do not tell who has an account.";
    const locked = "What if the account is locked?";
    await keys.press("J");
    for (const [line, text] of [
      [2, secret],
      [3, locked],
    ] as const) {
      await keys.press("J");
      await keys.press("c");
      await keys.untilFocused(review.getByRole("textbox", { name: `Comment on login.ts:${line}` }));
      await keys.type(text);
      await review.getByText("Draft saved").waitFor();
      await keys.press("Escape");
      await comment(text).getByText("Draft", { exact: true }).waitFor();
    }
    await keys.run("Ask for changes");
    await page.getByText("Sent 2 comments to the agent.").waitFor();

    // The agent gets both as one prompt, fixes them, and claims so by its tools.
    for (const text of [secret, locked]) await comment(text).getByText("Answered", { exact: true }).waitFor();
    await finished.getByText("Finished: Locked accounts are refused.").waitFor();
    await work.untilTurnEnds();
    const prompt = await printed();
    expect(prompt.split("Review of sign-in, round 1, by Ada Lovelace. 2 comments.")).toHaveLength(2);
    expect(prompt.split("(pastes: 1)")).toHaveLength(2);
    await keys.enter(page.getByRole("button", { name: "Refresh the changes" }));
    await changes.getByText("user.isLocked").waitFor();
    const fix = await headOf("sign-in");
    for (const text of [secret, locked]) {
      await comment(text)
        .getByText(`Fixed in ${fix.slice(0, 8)}`)
        .waitFor();
      await keys.enter(comment(text).getByRole("button", { name: "Resolve" }));
      await comment(text).getByText("Resolved", { exact: true }).waitFor();
      await keys.untilFocused(comment(text).getByRole("button", { name: "Reopen" }));
    }
    const { comments } = await client.workspace.review.list.query({ organizationId, changeId: change.id });
    expect(comments.map(({ state, claim }) => [state, claim?.commit])).toEqual([
      ["resolved", fix],
      ["resolved", fix],
    ]);

    // The person commits what the agent left, pushes, and opens the pull request.
    const bar = page.getByRole("region", { name: "Branch" });
    const dialog = page.getByRole("dialog");
    await keys.run("Commit");
    await keys.enter(dialog.getByRole("button", { name: "Commit", exact: true }));
    await bar.getByText("Nothing to commit · 3 commits ahead of main · not pushed").waitFor();
    await keys.run("Push");
    await bar.getByText("Nothing to commit · 3 commits ahead of main · pushed").waitFor();
    const head = await headOf("sign-in");
    expect(hosted.branches.get("sign-in")).toBe(head);
    const check = { name: "test", required: true, log: LOG };
    hosted.checks.set(head, [{ ...check, word: "in_progress" }]);
    await keys.run("Open a pull request");
    await expect.poll(() => dialog.getByRole("textbox", { name: "Title" }).inputValue()).toBe("Sign in");
    await keys.enter(dialog.getByRole("button", { name: "Open" }));
    const panel = page.getByRole("region", { name: "Pull request" });
    await panel.getByText("#1, the pull request, in a new tab Sign in into main").waitFor();
    await panel.getByText("1 running").waitFor();
    expect(hosted.pulls).toMatchObject([{ title: "Sign in", head: "sign-in", base: "main", state: "open" }]);

    // Its check fails. Grove sends the end of the log to the agent, and says so.
    await work.setChecks(head, [{ ...check, word: "failure" }]);
    await expect.poll(state).toBe("changes_requested");
    await goToNow();
    await keys.run("sign-in");
    await panel.getByText("Sent to the agent, round 1 of 2.").waitFor();
    await panel.getByText("A required check failed: test.").waitFor();
    await keys.press("l");
    await panel.getByRole("region", { name: "Log of test" }).getByText("expected 403 to be 423").waitFor();
    await keys.press("l");

    // The agent fixes the cause, commits and pushes.
    await work.letAgentGo();
    await expect.poll(() => hosted.branches.get("sign-in")).not.toBe(head);
    const fixed = await headOf("sign-in");
    expect(hosted.branches.get("sign-in")).toBe(fixed);
    hosted.checks.set(fixed, [{ ...check, word: "success" }]);
    await work.untilTurnEnds();
    const round = (await printed()).split("Grove sends you failed checks by itself, round 1 of 2.");
    expect(round).toHaveLength(2);
    expect(round[1]).toContain("expected 403 to be 423");
    const { rounds } = await client.workspace.review.list.query({ organizationId, changeId: change.id });
    expect(rounds.map(({ kind, status }) => [kind, status])).toEqual([
      ["review", "delivered"],
      ["checks", "delivered"],
    ]);

    // The check passes. The person reads the change again on the page Now, approves the new commit, and merges it.
    await goToNow();
    await keys.enter(waiting.getByRole("link", { name: "Sign in" }));
    await finished.getByText("Finished: Locked accounts get 423.").waitFor();
    await changes.getByText("423").waitFor();
    await panel.getByText("1 passed").waitFor();
    await keys.run(`Approve ${fixed.slice(0, 8)}`);
    await panel.getByText(`${fixed.slice(0, 8)} approved by Ada Lovelace`).waitFor();
    expect(await state()).toBe("approved");
    expect(await taskState()).not.toBe("completed");
    await keys.run("Merge the pull request");
    await keys.enter(dialog.getByRole("button", { name: "Merge" }));
    await panel.getByText("Merged", { exact: true }).waitFor();
    await keys.expectFocus();
    expect(hosted.pulls).toMatchObject([{ state: "merged", mergedCommit: fixed }]);
    expect(hosted.git("log", "--format=%s", "main")).toBe("Sign in (#1)\nBegin");
    expect(hosted.git("show", "main:login.ts")).toContain("if (user.isLocked) return 423;");
    expect(await state()).toBe("merged");
    expect(await taskState()).toBe("completed");

    // The agent is stopped, and the workspace deleted with its branch. Nothing has to be forced.
    await keys.run("Login");
    await keys.run("Stop the agent");
    await keys.enter(page.getByRole("button", { name: "Stop agent" }));
    await page.getByText("Stopped").first().waitFor();
    await keys.run("sign-in");
    await page.getByRole("heading", { name: "sign-in" }).waitFor();
    await keys.run("Delete the workspace");
    await page.getByText("No uncommitted changes.").waitFor();
    await keys.tabTo(page.getByRole("checkbox", { name: "Also delete its branch" }));
    await keys.press("Space");
    await keys.enter(page.getByRole("button", { name: "Delete", exact: true }));
    await page.getByRole("heading", { name: "Workspaces", exact: true }).waitFor();
    await expect.poll(() => client.workspace.list.query({ organizationId })).toEqual([]);
    expect(existsSync(path)).toBe(false);
    expect(await git("branch", "--list", "sign-in")).toBe("");
  },
  LONG_MS,
);

it("shows failed checks on the page Now once the agent has had its rounds", async () => {
  const work = await startHostedWork(journey, providers, ["begin", "fixCheck"]);
  const { page, client, organizationId, project, hosted, workspaceId, headOf } = work;
  const keys = byKeyboard(page);
  await work.untilTurnEnds();
  await client.project.update.mutate({ organizationId, id: project.id, maxRounds: 1 });
  const [change = { id: "" }] = await client.workspace.change.list.query({ organizationId, workspaceId });
  const head = await headOf("sign-in");
  const common = { organizationId, workspaceId, idempotencyKey: crypto.randomUUID() };
  await client.workspace.change.push.mutate({ ...common, expectHead: head, force: "none" });
  const check = { name: "test", required: true, word: "failure" };
  hosted.checks.set(head, [{ ...check, log: "expected 404 to be 401" }]);
  const of = { organizationId, changeId: change.id };
  await client.workspace.change.openPull.mutate({ ...of, title: "Sign in", body: "", draft: false });

  // The commit that the agent pushes fails with another error.
  await work.letAgentGo();
  await expect.poll(() => hosted.branches.get("sign-in")).not.toBe(head);
  hosted.checks.set(await headOf("sign-in"), [{ ...check, log: "expected true to be false" }]);
  const red = page.getByRole("listitem").filter({ hasText: "Checks failed" });
  await keys.enter(red.getByRole("link", { name: "Sign in" }));
  const panel = page.getByRole("region", { name: "Pull request" });
  await panel
    .getByText("The agent has used all of its rounds. Fix the checks, or ask the agent to.")
    .waitFor();
  const { rounds } = await client.workspace.review.list.query(of);
  expect(rounds).toMatchObject([{ kind: "checks", status: "delivered" }]);
});
