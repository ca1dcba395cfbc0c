import { expect, it } from "vitest";
import { useJourney } from "./testing/journey";
import { untilShown } from "./testing/terminal";
import { startWorkbench } from "./testing/workbench";

const journey = useJourney();

it("starts work with one form: a prompt, and a base from the list of branches", async () => {
  const { page, git, client, organizationId, untilOnline } = await startWorkbench(journey);
  await git("branch", "release/2");
  await untilOnline();
  await page.getByRole("navigation", { name: "Main" }).waitFor();
  await page.keyboard.press("g");
  await page.keyboard.press("w");
  await page.getByRole("heading", { name: "No workspaces yet" }).waitFor();
  await page.keyboard.press("n");
  const prompt = page.getByLabel("Prompt (optional)");
  await expect.poll(() => prompt.evaluate((field) => field === document.activeElement)).toBe(true);
  await page.getByRole("option", { name: "Device default: shell" }).waitFor({ state: "attached" });
  expect(await page.getByLabel("Agent").inputValue()).toBe("-");
  await page.keyboard.type("basename \"$PWD\"; printf 'he%s>\\n' re");
  expect(await page.getByLabel("Agent").inputValue()).toBe("");

  await page.getByText("Name, branch and base").press("Enter");
  await page.getByLabel("Name").fill("sign-in");
  const branch = page.getByLabel("Branch");
  await branch.fill("main");
  await page.getByText("A branch with this name already exists.").waitFor();
  await branch.fill("sign-in");
  const base = page.getByLabel("Starts from");
  await base.fill("rel");
  await page.getByRole("option", { name: /^release\/2/ }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  expect(await base.inputValue()).toBe("release/2");
  await base.fill("releases");
  await page.getByText("No branch of this name was fetched yet.").waitFor();
  await base.fill("release/2");
  await page.getByRole("button", { name: "Create 1 workspace and start agent" }).press("Enter");

  // The session's terminal opens by itself.
  await page.waitForURL("**/agents/*");
  await untilShown(page, "sign-inhere>");
  const [workspace] = await client.workspace.list.query({ organizationId });
  expect(workspace?.config).toMatchObject({ branchName: "sign-in", baseBranch: "release/2" });
});

it("starts an agent in each of several workspaces, and shows the ones that could not start", async () => {
  const { page, client, organizationId, untilOnline } = await startWorkbench(journey);
  await untilOnline();
  const [organization] = await client.organization.list.query();
  await page.goto(`${journey.api.url}/o/${organization?.slug}/workspaces/new`);
  await page.getByRole("option", { name: "Device default: shell" }).waitFor({ state: "attached" });
  await page.getByLabel("Agent").selectOption("shell");
  await page.getByText("Name, branch and base").click();
  await page.getByLabel("Name").fill("one");
  await page.getByRole("button", { name: "Add another" }).click();
  await page.getByRole("group", { name: "Workspace 2" }).getByLabel("Name").fill("two");
  let refused = 0;
  await page.route("**/agent.execute*", async (route) => {
    const isStart = route.request().postData()?.includes("start_agent_session") ?? false;
    if (!isStart || refused > 0) return route.fallback();
    refused++;
    await route.abort();
  });
  journey.expectMessage(page, /ERR_FAILED/);
  await page.getByRole("button", { name: "Create 2 workspaces and start agents" }).click();
  await page.getByText("Could not start the agent.").waitFor();
  await page.getByRole("link", { name: /^Open terminal/ }).waitFor();
  await page.getByRole("button", { name: "Try again" }).click();
  await expect.poll(() => page.getByRole("link", { name: /^Open terminal/ }).count()).toBe(2);
  const sessions = await client.agent.listSessions.query({ organizationId });
  expect(sessions.map(({ status }) => status)).toEqual(["running", "running"]);
});
