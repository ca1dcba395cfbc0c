import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { useJourney } from "./testing/journey";
import { someone } from "./testing/people";
import { startWorkbench } from "./testing/workbench";

const journey = useJourney();

it("adds a project from the address of its repository", async () => {
  const { page } = await someone(journey);
  await page.getByRole("link", { name: "Projects" }).click();
  await page.getByRole("heading", { name: "No project yet" }).waitFor();
  await page.getByRole("link", { name: "Add a project" }).click();
  await page.getByLabel("Address of the repository").fill("nonsense");
  await page.getByRole("button", { name: "Add the project" }).click();
  await page.getByText("This is no address that git can clone from").waitFor();
  await page.getByLabel("Address of the repository").fill("https://github.com/acme/app/tree/main");
  await page.getByRole("button", { name: "Add the project" }).click();
  await page.getByRole("heading", { name: "New workspace" }).waitFor();
  await page.getByRole("link", { name: "Projects" }).click();
  await page.getByRole("link", { name: "acme/app" }).waitFor();
});

it("makes workspaces, of which one fails and says why, renames one, and keeps unsaved work", async () => {
  const { page, project, agent, client, organizationId, device } = await startWorkbench(journey);
  await page.getByRole("link", { name: "Workspaces" }).click();
  await page.getByRole("link", { name: "New workspace" }).first().click();
  await page.getByText("laptop is offline").waitFor({ state: "detached" });
  await page.getByLabel("Name").fill("login form");
  await page.getByRole("button", { name: "Another one" }).click();
  await page.getByRole("group", { name: "Workspace 2" }).getByLabel("Name").fill("broken");
  await page.getByRole("group", { name: "Workspace 2" }).getByLabel("Starts from").fill("no-such-branch");
  await page.getByRole("button", { name: "Make 2 workspaces" }).click();
  await page.getByText("no-such-branch").waitFor();
  await page.getByRole("link", { name: "login form", exact: true }).click();
  await page.getByRole("heading", { name: "login form" }).waitFor();
  await page.getByText("Everything is committed.").waitFor();

  await page.getByRole("button", { name: "Rename" }).click();
  await page.getByLabel("New name").fill("sign-in");
  await page.getByRole("button", { name: "Rename" }).click();
  await page.getByRole("heading", { name: "sign-in" }).waitFor();

  const [workspace] = await client.workspace.list.query({ organizationId, projectId: project.id });
  // An editor on another machine needs a name for this one. The owner gives it, and the page shows it by itself.
  await page.getByRole("button", { name: "Copy the path" }).waitFor();
  await client.device.update.mutate({ organizationId, id: device.id, sshHost: "ada@laptop" });
  const opener = (name: string) => page.getByRole("link", { name: `Open in ${name}` });
  const path = String(workspace?.config.path);
  await expect
    .poll(() => opener("VS Code").getAttribute("href"))
    .toBe(`vscode://vscode-remote/ssh-remote+ada@laptop${encodeURI(path)}`);
  await page.getByRole("button", { name: "Choose the editor" }).click();
  await page.getByRole("menuitemradio", { name: "Zed" }).click();
  await page.keyboard.press("Escape");
  expect(await opener("Zed").getAttribute("href")).toBe(`zed://ssh/ada@laptop${encodeURI(path)}`);

  await writeFile(join(path, "notes.txt"), "unsaved");
  await page.getByRole("link", { name: "Delete" }).click();
  await page.getByText("1 change is not committed").waitFor();
  await page.getByText("notes.txt").waitFor();
  await page.getByLabel("To lose this work for good").fill("sign-in");
  await page.getByRole("button", { name: "Delete it with everything in it" }).click();
  await page.getByRole("heading", { name: "No workspace yet" }).waitFor();
  expect(agent.running).toBe(true);

  // The machine checks itself.
  await page.getByRole("link", { name: "Devices" }).click();
  await page.getByRole("link", { name: "laptop" }).click();
  await page.getByText("ada@laptop").waitFor();
  await page.getByRole("button", { name: "Check now" }).click();
  await page.getByText("(mode 700)").waitFor();
  await page.getByRole("button", { name: "Check again" }).waitFor();

  // Its commands: what only looks is left out; one is asked for again, waits for the machine, and is canceled.
  await page.getByRole("link", { name: "Commands" }).click();
  const line = (tool: string) => page.getByRole("row").filter({ hasText: tool });
  await line("update_workspace").getByText("Succeeded").waitFor();
  expect(await line("get_workspace_details").count()).toBe(0);
  await agent.end("SIGTERM");
  await page.getByRole("button", { name: "create_workspace" }).click();
  await page.getByRole("region", { name: "Result" }).getByText("no-such-branch").waitFor();
  await page.getByRole("button", { name: "Again", exact: true }).click();
  await page.getByText("It waits for the machine to take it.").waitFor();
  await page.keyboard.press("c");
  await page.getByRole("row").nth(1).getByText("Canceled").waitFor();
  await page.getByLabel("State").selectOption("canceled");
  await expect.poll(() => line("delete_workspace").count()).toBe(0);
  await page.getByRole("checkbox", { name: /Looks and keystrokes/ }).check();
  await page.getByLabel("State").selectOption("");
  await line("get_workspace_details").first().waitFor();
});

it("queues the work for a machine that is offline, and shows it begin when that is back", async () => {
  const { page, agent, machine } = await startWorkbench(journey);
  await agent.end("SIGTERM");
  await page.getByRole("link", { name: "Workspaces" }).click();
  await page.getByRole("link", { name: "New workspace" }).first().click();
  await page.getByText("laptop is offline").waitFor();
  await page.getByLabel("Name").fill("later");
  await page.getByRole("button", { name: "Make 1 workspace" }).click();
  await page.getByText("Waits for the device").waitFor();
  machine.run(["start"]);
  await page.getByRole("link", { name: "later", exact: true }).waitFor();
  await page.getByRole("link", { name: "All workspaces" }).click();
  await page.getByRole("row", { name: /later/ }).getByText("Ready").waitFor();
});
