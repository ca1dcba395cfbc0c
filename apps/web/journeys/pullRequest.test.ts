import { join } from "node:path";
import { gitHubToken, HostedRepository } from "@grove/integrations/testing";
import { accessibilityProblems } from "@grove/testing/browser";
import { expect, it } from "vitest";
import { useJourney } from "./testing/journey";
import { useProviders } from "./testing/providers";
import { startWorkbench } from "./testing/workbench";

const providers = await useProviders();
const journey = useJourney(providers.env);

it("brings an agent's file from its commit to a merged pull request, and merges only what was approved", async () => {
  const hosted = new HostedRepository("acme", "shop");
  providers.hosted.push(hosted);
  const origin = `${providers.gitHubUrl.replace("http:", "https:")}/acme/shop.git`;
  const workbench = await startWorkbench(journey, {}, origin);
  const { page, client, organizationId, project, machine, agent, git, runTool, untilOnline } = workbench;
  // git goes to a directory instead of the code host, whose address stays that of the remote.
  const remote = join(machine.directory, "remote.git");
  await git("init", "--quiet", "--bare", remote);
  await git("config", `url.${remote}.insteadOf`, origin);
  await git("config", "user.name", "Ada");
  await git("config", "user.email", "ada@example.com");
  await client.integration.connect.mutate({
    organizationId,
    provider: "github",
    token: gitHubToken,
    baseUrl: providers.gitHubUrl,
  });
  await untilOnline();
  const task = await client.task.create.mutate({ organizationId, title: "Sign in", projectId: project.id });
  const params = { projectId: project.id, workspaces: [{ name: "sign-in", branchName: "sign-in" }] };
  const { workspaces } = (await runTool("create_workspace", params)) as { workspaces: { id: string }[] };
  const [{ id: workspaceId } = { id: "" }] = workspaces;
  await runTool("start_agent_session", {
    workspaceId,
    taskId: task.id,
    prompt: "echo 'of the agent' > notes.txt",
  });

  await page.getByRole("link", { name: "Workspaces" }).click();
  await page.getByRole("link", { name: "sign-in" }).first().click();
  const bar = page.getByRole("region", { name: "Branch" });
  await bar.getByText("1 uncommitted file").waitFor();
  const panel = page.getByRole("region", { name: "Pull request" });
  const dialog = page.getByRole("dialog", { name: /^(Commit|Open a pull request|Merge #1\?)$/ });
  const openPull = panel.getByRole("button", { name: "Open a pull request" });

  // Nothing is opened before the commit is pushed. The dialog keeps what was typed.
  journey.expectMessage(page, /409|412/);
  await openPull.click();
  const title = dialog.getByRole("textbox", { name: "Title" });
  await expect.poll(() => title.inputValue()).toBe("Sign in");
  await title.fill("Sign in by mail");
  await dialog.getByRole("textbox", { name: "Description" }).fill("Without a password.");
  await dialog.getByRole("button", { name: "Open" }).click();
  await dialog.getByText("The newest commit of sign-in is not pushed. Push it first.").waitFor();
  expect(await title.inputValue()).toBe("Sign in by mail");
  await dialog.getByRole("button", { name: "Cancel" }).click();

  await bar.getByRole("button", { name: "Commit" }).click();
  await dialog.getByRole("button", { name: "Commit" }).click();
  await bar.getByText("Nothing to commit · 1 commit ahead of main · not pushed").waitFor();
  await bar.getByRole("button", { name: "Push" }).click();
  await bar.getByText("Nothing to commit · 1 commit ahead of main · pushed").waitFor();
  const head = (await git("-C", remote, "rev-parse", "refs/heads/sign-in")).trim();
  hosted.branches.set("sign-in", head);

  await openPull.click();
  await title.fill("Sign in by mail");
  await dialog.getByRole("textbox", { name: "Description" }).fill("Without a password.");
  await dialog.getByRole("checkbox", { name: "Draft" }).check();
  await dialog.getByRole("button", { name: "Open" }).click();
  await page.getByText("Opened pull request #1.").waitFor();
  await panel.getByText("#1, the pull request, in a new tab Sign in by mail into main").waitFor();
  await panel.getByText("No checks").waitFor();
  const [pull] = hosted.pulls;
  expect(pull).toMatchObject({ title: "Sign in by mail", draft: true, head: "sign-in", base: "main" });
  await panel.getByText("It is a draft. Mark it as ready for review.").waitFor();
  await panel.getByRole("button", { name: "Mark as ready" }).click();
  await panel.getByText("It is a draft.").waitFor({ state: "detached" });
  expect(pull?.draft).toBe(false);
  expect(pull?.body).toContain("Without a password.");
  expect((await client.task.get.query({ organizationId, id: task.id })).prUrl).toContain("/acme/shop/pull/1");

  // A red check blocks the merge, with its name. A green one does not.
  const checks = panel.getByRole("list", { name: "Checks" });
  const merge = panel.getByRole("button", { name: "Merge" });
  const log =
    "##[group]Run npm test\n2026-11-27T01:58:03.1234567Z expected 1 to be 2\u202e\n##[error]Exit 1\n";
  hosted.checks.set(head, [
    { name: "test", word: "failure", required: true, log },
    { name: "lint", word: "failure", required: false },
  ]);
  await checks.getByText("Failed").first().waitFor();
  await panel.getByText("A required check failed: test.").first().waitFor();
  await bar.getByText("Checks failed").waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  expect(await merge.getAttribute("aria-disabled")).toBe("true");
  // The log of the red check is shown as text. A log that was deleted is explained, with the check's address.
  await checks.getByRole("button", { name: "Show log of lint" }).click();
  await checks.getByText("The code host no longer has the log of this check.").waitFor();
  await checks.getByRole("link", { name: "Open the check in a new tab" }).waitFor();
  await checks.getByRole("button", { name: "Hide log of lint" }).click();
  await checks.getByRole("button", { name: "Show log of test" }).click();
  const shown = checks.getByRole("region", { name: "Log of test" });
  expect(await shown.textContent()).toBe("##[group]Run npm test\nexpected 1 to be 2⟨RLO⟩\n##[error]Exit 1");
  expect(await accessibilityProblems(page)).toEqual([]);
  await checks.getByRole("button", { name: "Ask the agent about test" }).click();
  await page.getByText("Paste 7 lines?").waitFor();
  await page.keyboard.press("Enter");
  await page.getByText("Typing", { exact: true }).waitFor();
  await page
    .getByRole("region", { name: "Terminal" })
    .getByText('The check "test" of pull request #1 failed')
    // The shell may draw its line twice.
    .first()
    .waitFor();
  await page.getByRole("region", { name: "Terminal" }).getByText("expected 1 to be 2⟨RLO⟩").first().waitFor();
  await page.keyboard.press("Control+c");
  await page.keyboard.press("F6");
  hosted.checks.set(head, [{ name: "test", word: "success", required: true }]);
  await checks.getByText("Passed").waitFor();
  await panel.getByRole("list", { name: "Blocks" }).waitFor({ state: "detached" });
  expect(await merge.getAttribute("aria-disabled")).toBe("true");
  await panel.getByRole("button", { name: `Approve ${head.slice(0, 8)}` }).click();
  await panel.getByText(`${head.slice(0, 8)} approved by Ada Lovelace`).waitFor();
  await bar.getByText("Approved", { exact: true }).waitFor();

  // The change waits on the page Now and on the board. Links lead back to it.
  await page.getByRole("link", { name: "Tasks", exact: true }).click();
  const card = page.getByRole("listitem").filter({ hasText: "Sign in" });
  await card.getByText("Approved", { exact: true }).waitFor();
  await page.getByRole("link", { name: /^Now/ }).click();
  await page.getByRole("heading", { name: "Changes waiting for you" }).waitFor();
  const waiting = page.getByRole("listitem").filter({ hasText: "Approved" });
  await waiting.getByText("Approved", { exact: true }).waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await waiting.getByRole("link", { name: /^(Sign in|sign-in)$/ }).click();

  // A commit that is pushed after the approval is not merged, and has to be approved.
  await merge.click();
  await dialog.getByText(`Commit ${head.slice(0, 8)} is merged into main at the code host.`).waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  expect(pull?.state).toBe("open");
  const pushed = "b".repeat(40);
  hosted.branches.set("sign-in", pushed);
  await dialog.getByRole("button", { name: "Merge" }).click();
  await dialog
    .getByText(`The pull request is at commit ${pushed.slice(0, 8)} now, not at ${head.slice(0, 8)}.`)
    .waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await panel.getByRole("button", { name: `Approve ${pushed.slice(0, 8)}` }).waitFor();
  expect(pull?.state).toBe("open");

  // The push is taken back.
  hosted.branches.set("sign-in", head);
  await page.reload();
  await panel.getByText(`${head.slice(0, 8)} approved by Ada Lovelace`).waitFor();
  // While its check runs again, the merge waits, can be canceled, and takes place once the check has passed.
  hosted.checks.set(head, [{ name: "test", word: "in_progress", required: true }]);
  await panel.getByRole("list", { name: "Blocks" }).waitFor();
  const waits = panel.getByText("Merges when the checks pass (asked by Ada Lovelace, just now)");
  const askToMerge = async () => {
    await merge.click();
    await dialog.getByRole("combobox", { name: "Method" }).selectOption("Squash into one commit");
    await dialog.getByRole("button", { name: "Merge when the checks pass" }).click();
    await waits.waitFor();
  };
  await askToMerge();
  expect(await accessibilityProblems(page)).toEqual([]);
  await panel.getByRole("button", { name: "Cancel" }).click();
  await waits.waitFor({ state: "detached" });
  await askToMerge();
  expect(pull?.state).toBe("open");
  hosted.checks.set(head, [{ name: "test", word: "success", required: true }]);
  await panel.getByText("Merged", { exact: true }).waitFor();
  await merge.waitFor({ state: "detached" });
  expect(pull).toMatchObject({ state: "merged", mergedCommit: head });
  const done = await client.task.get.query({ organizationId, id: task.id });
  expect(done).toMatchObject({ statusType: "completed" });

  // Another one needs commits that are not merged.
  await panel.getByRole("button", { name: "Open another" }).click();
  await dialog.getByRole("button", { name: "Open" }).click();
  await dialog.getByText("Could not open the pull request.").waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  // The pull request is shown even while the machine is offline.
  await agent.end("SIGTERM");
  await page.getByRole("heading", { name: "laptop is offline" }).waitFor();
  await panel.getByText("Merged", { exact: true }).waitFor();

  // The checks at the end of the test see the panel in a narrow window.
  await page.goto(`${page.url().replace(/\?.*/, "")}?only=changes`);
  await panel.getByText(`${head.slice(0, 8)} approved by Ada Lovelace`).waitFor();
});
