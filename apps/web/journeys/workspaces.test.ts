import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { interceptFirst } from "./testing/intercept";
import { useJourney } from "./testing/journey";
import { someone } from "./testing/people";
import { startWorkbench } from "./testing/workbench";

const journey = useJourney();

it("adds a project, renames it, keeps its secrets from a member, and deletes it", async () => {
  const { page, client, organizationId } = await someone(journey);
  await page.getByRole("link", { name: "Projects" }).click();
  await page.getByRole("heading", { name: "No projects yet" }).waitFor();
  await page.getByRole("link", { name: "Add a project" }).click();
  await page.getByLabel("Repository").fill("nonsense");
  await page.getByRole("button", { name: "Add project" }).click();
  await page.getByText("Git cannot clone from this URL").waitFor();
  await page.getByLabel("Repository").fill("https://github.com/acme/app/tree/main");
  await page.getByRole("button", { name: "Add project" }).click();
  await page.getByRole("heading", { name: "app", exact: true }).waitFor();
  await page.getByRole("link", { name: "Projects" }).click();
  await page.getByRole("link", { name: "acme/app" }).waitFor();

  const dialog = page.getByRole("dialog");
  await page.getByRole("link", { name: "app", exact: true }).press("Enter");
  await page.getByRole("heading", { name: "No workspaces yet" }).waitFor();
  const tabs = page.getByRole("navigation", { name: "About this project" });
  const current = () => tabs.getByRole("link").evaluateAll((links) => links.map((link) => link.ariaCurrent));
  expect(await current()).toEqual(["page", null, null, null]);
  await page.keyboard.press("e");
  await dialog.getByLabel("Name").fill("Shop");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Shop" }).waitFor();

  await page.getByRole("link", { name: "Secrets" }).press("Enter");
  await page.getByRole("heading", { name: "No secrets yet" }).waitFor();
  await page.keyboard.press("n");
  await dialog.getByLabel("Name").fill("API_TOKEN");
  await dialog.getByLabel("Value").fill("hunter2");
  await dialog.getByRole("button", { name: "Save" }).press("Enter");
  await page.getByRole("row", { name: /API_TOKEN/ }).waitFor();
  await page.getByRole("button", { name: "Import from .env" }).press("Enter");
  await dialog.getByLabel("Secrets").fill('# for tests\nAPI_TOKEN=hunter3\nmy host=x\nKEY="one\ntwo"');
  await dialog.getByText("Line 3: is not KEY=value.").waitFor();
  await dialog.getByLabel("Secrets").fill('# for tests\nAPI_TOKEN=hunter3\nHOST=x\nKEY="one\ntwo"');
  await dialog.getByText("3 secrets, 1 of which replaces an existing value").waitFor();
  await dialog.getByRole("button", { name: "Save 3 secrets" }).press("Enter");
  await page.getByRole("row", { name: /HOST/ }).waitFor();
  await page.getByRole("button", { name: "Reveal API_TOKEN" }).press("Enter");
  await page.getByText("hunter3").waitFor();
  await page.getByText(/Hidden again in 2\d s/).waitFor();
  await page.getByRole("button", { name: "Hide API_TOKEN" }).press("Enter");
  await page.getByText("hunter3").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Delete HOST" }).press("Enter");
  await dialog.getByRole("button", { name: "Delete" }).press("Enter");
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("row", { name: /HOST/ }).waitFor({ state: "detached" });
  const events = await client.organization.listAuditEvents.query({ organizationId });
  expect(events.map(({ action, metadata }) => `${action} ${metadata?.key ?? ""}`.trim()).slice(0, 6)).toEqual(
    [
      "project.deleteSecret HOST",
      "project.revealSecret API_TOKEN",
      ...Array.from({ length: 4 }, () => expect.stringMatching(/^project\.setSecret/)),
    ],
  );

  const bob = await someone(journey);
  const { token } = await client.organization.invite.mutate({
    organizationId,
    email: bob.email,
    role: "member",
  });
  await bob.client.organization.acceptInvitation.mutate({ token });
  // A failed page of results can be retried.
  await interceptFirst(bob.page, /\/project\.get/, (route) => {
    const calls = new URL(route.request().url()).pathname.split(",");
    const data = { code: "TOO_MANY_REQUESTS", httpStatus: 429 };
    const refusal = { error: { message: "Too many calls.", code: -32029, data } };
    return route.fulfill({ status: 429, json: calls.map(() => refusal) });
  });
  journey.expectMessage(bob.page, /404|429|Too many calls/);
  await bob.page.goto(page.url());
  await bob.page.getByText("Too many calls.").waitFor();
  await bob.page.getByRole("button", { name: "Try again" }).press("Enter");
  await bob.page
    .getByText("Only admins and owners can set, reveal and delete them. Ask Ada Lovelace.")
    .waitFor();
  await bob.page.getByRole("row", { name: /API_TOKEN/ }).waitFor();
  expect(await bob.page.getByRole("button", { name: /Reveal|Add a secret|Import/ }).count()).toBe(0);

  await page.getByRole("button", { name: "Delete", exact: true }).press("Enter");
  await dialog.getByText("2 secrets.").waitFor();
  await dialog.getByLabel("Type app to confirm").fill("app");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "No projects yet" }).waitFor();
  await bob.page.getByText("It may have been deleted").waitFor();
});

it("creates workspaces, reports one that fails, renames one, and protects unsaved work, by keyboard alone", async () => {
  const { page, context, project, agent, client, organizationId, device } = await startWorkbench(journey);
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  await page.getByRole("navigation", { name: "Main" }).waitFor();
  await press("g", "w");
  await page.getByRole("heading", { name: "No workspaces yet" }).waitFor();
  await press("n");
  await page.getByText("laptop is offline").waitFor({ state: "detached" });
  await page.getByText("Name, branch and base").press("Enter");
  await page.getByLabel("Name").fill("login form");
  await page.getByRole("button", { name: "Add another" }).press("Enter");
  await page.getByRole("group", { name: "Workspace 2" }).getByLabel("Name").fill("broken");
  await page.getByRole("group", { name: "Workspace 2" }).getByLabel("Starts from").fill("no-such-branch");
  await page.getByRole("button", { name: "Create 2 workspaces" }).press("Enter");
  await page.getByText("no-such-branch").waitFor();
  await page.getByRole("link", { name: "Try again with broken" }).press("Enter");
  await expect.poll(() => page.getByLabel("Starts from").inputValue()).toBe("no-such-branch");
  await page.goBack();
  await page.getByRole("link", { name: "login form", exact: true }).press("Enter");
  await page.getByRole("heading", { name: "login form" }).waitFor();
  await page.keyboard.press("w");
  await page.getByText("Everything is committed.").waitFor();
  await page.getByText("20000 to 20009").waitFor();

  await page.getByRole("button", { name: "Rename", exact: true }).press("Enter");
  await page.getByLabel("New name").fill("sign-in");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "sign-in" }).waitFor();

  const [workspace] = await client.workspace.list.query({ organizationId, projectId: project.id });
  // An editor on another machine needs this machine's ssh host. The owner sets it, and the page updates live.
  await page.getByRole("button", { name: "Copy the path" }).waitFor();
  await client.device.update.mutate({ organizationId, id: device.id, sshHost: "ada@laptop" });
  const opener = (name: string) => page.getByRole("link", { name: `Open in ${name}` });
  const path = String(workspace?.config.path);
  await expect
    .poll(() => opener("VS Code").getAttribute("href"))
    .toBe(`vscode://vscode-remote/ssh-remote+ada@laptop${encodeURI(path)}`);
  await page.getByRole("button", { name: "Choose the editor" }).press("Enter");
  await page.getByRole("menuitemradio", { name: "Zed" }).press("Enter");
  await page.keyboard.press("Escape");
  expect(await opener("Zed").getAttribute("href")).toBe(`zed://ssh/ada@laptop${encodeURI(path)}`);

  await writeFile(join(path, "notes.txt"), "unsaved");
  const elsewhere = await journey.open(context, new URL(page.url()).pathname);
  await elsewhere.getByRole("heading", { name: "sign-in" }).waitFor();
  journey.expectMessage(elsewhere, /404|There is no workspace/);
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Search or run a command" }).fill("delete");
  await page.getByRole("option", { name: "Delete the workspace" }).click();
  await page.getByText("1 uncommitted change").waitFor();
  await page.getByText("notes.txt").waitFor();
  await page.getByLabel("To permanently delete this work").fill("sign-in");
  await page.getByRole("button", { name: "Delete everything" }).press("Enter");
  await page.getByRole("heading", { name: "No workspaces yet" }).waitFor();
  await elsewhere.getByText("This page does not exist or was deleted.").waitFor();
  expect(agent.running).toBe(true);

  // The doctor.
  await page.getByRole("link", { name: "Devices" }).click();
  await page.getByRole("link", { name: "laptop" }).click();
  await page.getByText("ada@laptop").waitFor();
  await page.getByRole("button", { name: "Check now" }).click();
  await page.getByText("(mode 700)").waitFor();
  await page.getByRole("button", { name: "Check again" }).waitFor();

  // The workspace's commands: read-only ones are hidden; one is run again, waits for the machine, and is canceled.
  await page.getByRole("link", { name: "Commands" }).click();
  const line = (label: string) => page.getByRole("row").filter({ hasText: label });
  await line("Rename workspaces").getByText("Succeeded").waitFor();
  await line("Rename workspaces").getByText("Ada Lovelace").waitFor();
  expect(await line("Read a workspace's state").count()).toBe(0);
  await agent.end("SIGTERM");
  await page.getByRole("button", { name: "Create workspaces" }).click();
  await page.getByRole("definition").filter({ hasText: "create_workspace" }).waitFor();
  await page.getByRole("region", { name: "Result" }).getByText("no-such-branch").waitFor();
  await page.getByRole("button", { name: "Run again" }).click();
  await page.getByText("Waiting for the machine to pick up the command.").waitFor();
  await page.keyboard.press("c");
  await page.getByRole("row").nth(1).getByText("Canceled").waitFor();
  await page.getByLabel("State").selectOption("canceled");
  await expect.poll(() => line("Delete a workspace").count()).toBe(0);
  await page.getByRole("checkbox", { name: /read-only commands and keystrokes/ }).check();
  await page.getByLabel("State").selectOption("");
  await line("Read a workspace's state").first().waitFor();
  await page.getByLabel("Command", { exact: true }).selectOption("Delete a workspace");
  await page.getByRole("checkbox", { name: /Only mine/ }).check();
  await expect.poll(() => line("Read a workspace's state").count()).toBe(0);
  await line("Delete a workspace").getByText("Succeeded").first().waitFor();
  expect(new URL(page.url()).search).toContain("tool=delete_workspace&mine=true");
});

it("lists a renamed file once among the uncommitted changes", async () => {
  const { page, machine, git, project, runTool } = await startWorkbench(journey);
  await writeFile(join(machine.directory, "app", "old name.txt"), "one\ntwo\n");
  await git("add", ".");
  await git("commit", "--quiet", "--message", "Notes");
  const params = { projectId: project.id, workspaces: [{ name: "sign-in" }] };
  const made = (await runTool("create_workspace", params)) as { workspaces: { path: string }[] };
  const path = made.workspaces[0]?.path ?? "";
  await rename(join(path, "old name.txt"), join(path, "new name.txt"));
  await page.getByRole("link", { name: "Workspaces" }).click();
  await page.getByRole("link", { name: "sign-in" }).first().click();
  await page.getByRole("link", { name: "Overview" }).click();
  await page
    .getByRole("listitem")
    .filter({ hasText: /renamed.*old name.txt.*new name.txt/ })
    .waitFor();
  expect(await page.getByText("deleted", { exact: true }).count()).toBe(0);
});

it("queues work for an offline machine, and shows it start when the machine is back", async () => {
  const { page, agent, machine, git } = await startWorkbench(journey);
  const [folder, go] = [join(machine.directory, "app", ".grove"), join(machine.directory, "go")];
  await mkdir(folder);
  const setup = `#!/bin/sh\necho installing\nuntil [ -e '${go}' ]; do sleep 0.1; done\n`;
  await writeFile(join(folder, "setup"), setup, { mode: 0o755 });
  await git("add", ".");
  await git("commit", "--quiet", "--message", "Set up");
  await writeFile(join(machine.directory, "home", "config.json"), '{ "allowRepositoryScripts": true }');
  await agent.end("SIGTERM");
  await page.getByRole("link", { name: "Workspaces" }).click();
  await page.getByRole("link", { name: "New workspace" }).first().click();
  await page.getByText("laptop is offline").waitFor();
  await page.getByText("Name, branch and base").click();
  await page.getByLabel("Name").fill("later");
  await page.getByRole("button", { name: "Create 1 workspace" }).click();
  await page.getByText("Waiting for the machine to come online").waitFor();
  machine.run(["start"]);

  // The command's progress is shown here, and among the machine's commands.
  await page.getByRole("status").getByText(".grove/setup: installing").waitFor();
  await page.getByText("Not created yet").waitFor();
  const making = page.url();
  await page.getByRole("link", { name: "Devices" }).click();
  await page.getByRole("link", { name: "laptop" }).click();
  await page.getByRole("link", { name: "Commands" }).click();
  const command = page.getByRole("row").filter({ hasText: "Create workspaces" });
  await command.getByText("Running").waitFor();
  await command.getByText(".grove/setup: installing").waitFor();
  await writeFile(go, "");
  await command.getByText("Succeeded").waitFor();
  expect(await command.getByText("installing").count()).toBe(0);
  await page.goto(making);
  await page.getByRole("link", { name: "later", exact: true }).waitFor();
  await page.getByRole("link", { name: "All workspaces" }).click();
  await page.getByRole("row", { name: /later/ }).getByText("Ready").waitFor();
});
