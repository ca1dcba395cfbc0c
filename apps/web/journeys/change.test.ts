import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { useJourney } from "./testing/journey";
import { startWorkbench } from "./testing/workbench";

const journey = useJourney();

it("commits an agent's files, pushes them and merges them here, with the conflicts for an agent", async () => {
  const { page, project, machine, git, runTool, untilOnline } = await startWorkbench(journey);
  await untilOnline();
  const repository = join(machine.directory, "app");
  await mkdir(join(repository, ".grove"));
  const byAda = "git log -1 --format=%an | grep -qx Ada || { echo 'Ada has not committed it.'; exit 1; }\n";
  await writeFile(join(repository, ".grove", "check"), byAda);
  await git("add", ".grove");
  await git("commit", "--quiet", "--message", "Check");
  const remote = join(machine.directory, "remote.git");
  await git("init", "--quiet", "--bare", remote);
  await git("remote", "add", "origin", remote);
  const params = { projectId: project.id, workspaces: [{ name: "sign-in", branchName: "sign-in" }] };
  const { workspaces } = (await runTool("create_workspace", params)) as { workspaces: { id: string }[] };
  const [{ id: workspaceId } = { id: "" }] = workspaces;
  await runTool("start_agent_session", { workspaceId, prompt: "echo 'of the agent' > notes.txt" });

  await page.getByRole("link", { name: "Workspaces" }).click();
  await page.getByRole("link", { name: "sign-in" }).first().click();
  const bar = page.getByRole("region", { name: "Branch" });
  await bar.getByText("1 uncommitted file").waitFor();

  // The check script runs once the machine's owner allows it, on uncommitted work too.
  await bar.getByRole("button", { name: "Run the check script" }).click();
  await bar.getByText("Check script not run").waitFor();
  const configFile = join(machine.directory, "home", "config.json");
  const config = JSON.parse(await readFile(configFile, "utf8"));
  await writeFile(configFile, JSON.stringify({ ...config, allowRepositoryScripts: true }));
  await bar.getByRole("button", { name: "Run the check script" }).click();
  await bar.getByText("Check script failed").waitFor();
  await bar.getByText("For uncommitted work.").waitFor();
  await bar.getByRole("button", { name: "Show output" }).click();
  await bar
    .getByRole("region", { name: "Output of the check script" })
    .getByText("Ada has not committed it.")
    .waitFor();

  // The device does not know who commits. The message that was typed is kept, even over a reload.
  await bar.getByRole("button", { name: "Commit" }).click();
  const dialog = page.getByRole("dialog", { name: /^(Commit|Merge here\?|Update from main)$/ });
  const message = dialog.getByRole("textbox", { name: "Message" });
  expect(await message.inputValue()).toBe("Add notes.txt");
  await message.fill("Note what the agent did\n\nWith a reason.");
  journey.expectMessage(page, /412/);
  await dialog.getByRole("button", { name: "Commit" }).click();
  await dialog.getByText("git on the device does not know who commits.").waitFor();
  await git("config", "user.name", "Ada");
  await git("config", "user.email", "ada@example.com");
  await page.reload();
  // The result of the last run is still shown.
  await bar.getByText("For uncommitted work.").waitFor();
  await bar.getByRole("button", { name: "Show output" }).waitFor();
  await bar.getByRole("button", { name: "Commit" }).click();
  expect(await message.inputValue()).toBe("Note what the agent did\n\nWith a reason.");
  await dialog.getByRole("button", { name: "Commit" }).click();
  await bar.getByText("Nothing to commit · 1 commit ahead of main · not pushed").waitFor();
  expect(await git("log", "-1", "--format=%an: %s", "sign-in")).toContain("Ada: Note what the agent did");
  await bar.getByRole("button", { name: "Run the check script" }).click();
  await bar.getByText("Check script passed").waitFor();

  await bar.getByRole("button", { name: "Push" }).click();
  await bar.getByText("Nothing to commit · 1 commit ahead of main · pushed").waitFor();
  const pushed = await git("-C", remote, "rev-parse", "refs/heads/sign-in");
  expect(pushed).toBe(await git("rev-parse", "sign-in"));

  await bar.getByRole("button", { name: "Merge here" }).click();
  await dialog
    .getByText(`Commit ${pushed.slice(0, 8)} of sign-in, with 1 commit, is merged into main`)
    .waitFor();
  await dialog.getByRole("button", { name: "Merge" }).click();
  await page.getByText("Merged into main.").waitFor();
  expect(await git("rev-parse", "main")).toBe(pushed);
  expect(await readFile(join(repository, "notes.txt"), "utf8")).toBe("of the agent\n");

  // After a rebase, the pushed commits are replaced, which is asked first.
  await runTool("start_agent_session", { workspaceId, prompt: "git commit -q --allow-empty -m More" });
  await bar.getByText("1 commit ahead of main").waitFor();
  await bar.getByRole("button", { name: "Push" }).click();
  await bar.getByText("1 commit ahead of main · pushed").waitFor();
  await git("commit", "--quiet", "--allow-empty", "--message", "Of others");
  await bar.getByText("1 commit behind").waitFor();
  await bar.getByRole("button", { name: "Update from main" }).click();
  await dialog.getByLabel("Method").selectOption("rebase");
  await dialog.getByText("The branch is pushed. The next push has to replace the pushed commits.").waitFor();
  await dialog.getByRole("button", { name: "Update", exact: true }).click();
  await page.getByText("Updated from main.").waitFor();
  await bar.getByText("1 commit ahead of main · not pushed").waitFor();
  expect(await git("log", "-2", "--format=%s", "sign-in")).toBe("More\nOf others\n");
  journey.expectMessage(page, /412/);
  await bar.getByRole("button", { name: "Push" }).click();
  await bar.getByRole("button", { name: "Replace the pushed commits" }).click();
  const replacing = page.getByRole("dialog", { name: "Replace the pushed commits?" });
  await replacing.getByRole("button", { name: "Replace", exact: true }).click();
  await bar.getByText("1 commit ahead of main · pushed").waitFor();
  expect(await git("-C", remote, "rev-parse", "refs/heads/sign-in")).toBe(await git("rev-parse", "sign-in"));

  // Both change the same line: the conflict is shown before anything is touched, and goes to an agent.
  await runTool("start_agent_session", {
    workspaceId,
    prompt: "git rm -q notes.txt && git commit -qm Remove",
  });
  await bar.getByText("2 commits ahead of main").waitFor();
  await git("commit", "--quiet", "--allow-empty", "--message", "Theirs");
  await writeFile(join(repository, "notes.txt"), "theirs\n");
  await git("commit", "--quiet", "--all", "--message", "Theirs");
  await bar.getByText("2 commits behind").waitFor();
  await bar.getByRole("button", { name: "Update from main" }).click();
  const conflicts = dialog.getByRole("list", { name: "Conflicts" });
  await expect.poll(() => conflicts.getByRole("listitem").allInnerTexts()).toEqual(["notes.txt"]);
  await dialog.getByRole("button", { name: "Ask the agent" }).click();
  const choice = page.getByRole("dialog", { name: "Choose an agent" });
  await choice.getByRole("button", { name: "Ask this agent" }).first().click();
  await page.getByRole("alert").filter({ hasText: "notes.txt" }).waitFor();
  await page.getByRole("button", { name: "Do not paste" }).click();
});
