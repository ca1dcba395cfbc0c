import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { useJourney } from "./testing/journey";
import { typeLine, untilShown } from "./testing/terminal";
import { startWorkbench } from "./testing/workbench";

const journey = useJourney();

it("opens a terminal in a workspace with one click, and starts an agent without a prompt", async () => {
  const { page, client, organizationId, project, runTool } = await startWorkbench(journey);
  const workspaces = [{ name: "sign-in" }, { name: "login" }];
  await runTool("create_workspace", { projectId: project.id, workspaces });
  const all = await client.workspace.list.query({ organizationId });
  const workspace = all.find(({ name }) => name === "sign-in");
  await page.getByRole("link", { name: "Workspaces" }).click();
  await page.getByRole("link", { name: "sign-in" }).first().click();

  await page.getByRole("button", { name: "Terminal" }).click();
  await page.getByText("Read-only").waitFor();
  await untilShown(page, "$");
  await page.keyboard.press("i");
  await page.getByText("Typing", { exact: true }).waitFor();
  await typeLine(page, "basename \"$PWD\"; printf 'he%s>\\n' re");
  // A shell writes its line again when the terminal gets another size, so that output must have ended its own.
  await untilShown(page, "sign-inhere>");

  const [organization] = await client.organization.list.query();
  await page.goto(
    `${journey.api.url}/o/${organization?.slug}/agents/new?workspace=${encodeURIComponent(workspace?.id ?? "")}`,
  );
  await page.getByRole("option", { name: "Device default: shell" }).waitFor({ state: "attached" });
  // The workspace is found by its name, its project or its machine. A text that finds none changes nothing.
  const field = page.getByRole("combobox", { name: "Workspace" });
  await field.fill("nothing like it");
  await page.getByText("No match").waitFor();
  await field.press("Escape");
  await expect.poll(() => field.inputValue()).toBe("sign-in");
  await field.fill("app, laptop");
  await page.getByRole("option", { name: "sign-in app, laptop" }).waitFor();
  await page.getByRole("option", { name: "login app, laptop" }).click();
  await expect.poll(() => field.inputValue()).toBe("login");
  await field.fill("sign");
  await field.press("Enter");
  await expect.poll(() => field.inputValue()).toBe("sign-in");
  await page.getByRole("button", { name: "Start agent" }).click();
  await page.getByText("Read-only").waitFor();
  const sessions = await client.agent.listSessions.query({ organizationId });
  expect(sessions.map(({ agent, status }) => `${agent} ${status}`)).toEqual([
    "shell running",
    "shell running",
  ]);
});

it("starts one terminal if the response to the first click is lost", async () => {
  const { page, client, organizationId, project, runTool } = await startWorkbench(journey);
  await runTool("create_workspace", { projectId: project.id, workspaces: [{ name: "sign-in" }] });
  await page.getByRole("link", { name: "Workspaces" }).click();
  await page.getByRole("link", { name: "sign-in" }).first().click();
  const terminal = page.getByRole("button", { name: "Terminal" });
  let lost = 0;
  await page.route("**/agent.execute*", async (route) => {
    if (lost > 0 || !route.request().postData()?.includes("start_agent_session")) return route.fallback();
    lost++;
    await route.fetch();
    await route.abort();
  });
  journey.expectMessage(page, /ERR_FAILED/);
  await terminal.click();
  await page.getByText("Could not start a terminal.").waitFor();
  await terminal.click();
  await page.getByText("Read-only").waitFor();
  expect(await client.agent.listSessions.query({ organizationId })).toHaveLength(1);
});

it("says which agents a machine has if it has none for coding", async () => {
  const { page, client, project, machine, runTool } = await startWorkbench(journey);
  await runTool("create_workspace", { projectId: project.id, workspaces: [{ name: "sign-in" }] });
  const [organization] = await client.organization.list.query();
  const missing = { command: ["not-installed-anywhere", "{prompt}"] };
  const presets = Object.fromEntries(["claude", "codex", "gemini", "copilot"].map((name) => [name, missing]));
  const configure = async (config: { agents?: object; [other: string]: unknown }) => {
    const agents = { ...presets, ...config.agents };
    await writeFile(join(machine.directory, "home", "config.json"), JSON.stringify({ ...config, agents }));
    await page.goto(`${journey.api.url}/o/${organization?.slug}/agents/new`);
    await page.getByRole("option", { name: /^Device default/ }).waitFor({ state: "attached" });
  };
  const only = page.getByText("The only agent of this device is “shell”.");
  const none = page.getByText("No agent is installed on this device.");
  await configure({});
  await only.waitFor();
  await configure({ shell: false });
  await none.waitFor();
  expect(await only.count()).toBe(0);
  // Its page has the commands that install agents.
  await page.getByRole("link", { name: "laptop", exact: true }).click();
  await page.getByText(/not installed: .*claude/).waitFor();

  // An agent with the shell's name.
  const shell = { command: ["bash"], prompt: "typed" };
  await configure({ agents: { shell } });
  await only.waitFor();
  await configure({ agents: { shell }, defaultAgent: "shell" });
  await page.getByRole("option", { name: "Device default: shell" }).waitFor({ state: "attached" });
  expect(await only.or(none).count()).toBe(0);

  // A wrong configuration is reported once, even after a try.
  await writeFile(join(machine.directory, "home", "config.json"), '{ "maxSessions": "many" }');
  await page.reload();
  const wrong = page.getByText(/config\.json cannot be used: maxSessions/);
  await page.getByText("Could not load the agents of the device.").waitFor();
  await wrong.waitFor();
  await page.getByRole("button", { name: "Start agent" }).click();
  await page.getByText("Could not start the agent.").waitFor();
  expect(await wrong.count()).toBe(1);
});
