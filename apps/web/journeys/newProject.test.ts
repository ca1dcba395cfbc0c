import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { succeed } from "@grove/testing/process";
import { expect, it } from "vitest";
import { useJourney } from "./testing/journey";
import { someone } from "./testing/people";
import { startWorkbench } from "./testing/workbench";

const journey = useJourney();

it("adds a repository by its path on the user's machine, by keyboard alone", async () => {
  const { page, machine, client, organizationId, untilOnline } = await startWorkbench(journey);
  await untilOnline();
  const init = async (name: string) => {
    const path = join(machine.directory, "code", name);
    await mkdir(path, { recursive: true });
    await succeed(["git", "init", "--quiet", path], {
      cwd: path,
      env: { PATH: process.env.PATH, HOME: machine.directory },
    });
    return path;
  };
  const shop = await init("shop");
  const later = await init("later");
  await mkdir(join(machine.directory, "code", "shed"));
  await page.getByRole("link", { name: "Projects" }).click();
  await page.getByRole("link", { name: "Add a project" }).first().click();

  // The command that works on this machine; the page waits for its project.
  await page.getByText(/^grove-device project add <path>$/).waitFor();
  await machine.run(["project", "add", later]).ended;
  await page.getByRole("status").getByRole("link", { name: "later" }).waitFor();

  // A directory that is not a repository is refused with the device's message.
  const field = page.getByRole("combobox", { name: "Repository" });
  await expect.poll(() => field.evaluate((input) => input === document.activeElement)).toBe(true);
  await page.keyboard.type("~/code/shed");
  await page.getByRole("option", { name: "~/code/shed/" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("option").waitFor({ state: "detached" });
  await page.keyboard.press("Enter");
  await page.getByText(/code\/shed is not in a git repository\. Run `git init` there/).waitFor();

  await field.fill("~/co");
  await page.getByRole("option", { name: "~/code/", exact: true }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect.poll(() => field.inputValue()).toBe("~/code/");
  await page.getByRole("option", { name: /~\/code\/shop.*Git repository/ }).waitFor();
  await page.keyboard.type("sho");
  await page.getByRole("option", { name: "~/code/shed/" }).waitFor({ state: "detached" });
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect.poll(() => field.inputValue()).toBe("~/code/shop");
  await page.getByRole("listbox").waitFor({ state: "detached" });
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "shop", level: 1 }).waitFor();
  const projects = await client.project.list.query({ organizationId });
  expect(projects.map(({ repoUrl }) => repoUrl)).toContain(pathToFileURL(shop).href);
});

it("refuses a path as long as none of the user's machines is online", async () => {
  const { page } = await someone(journey);
  await page.getByRole("link", { name: "Projects" }).click();
  await page.getByRole("link", { name: "Add a project" }).first().click();
  await page.getByLabel("Repository").fill("~/code/app");
  await page.getByRole("button", { name: "Add project" }).click();
  await page.getByText("None of your machines is online").waitFor();
});

it("shows whether a repository's scripts run on a machine, and how to allow them, by keyboard alone", async () => {
  const { page, context, machine, git, agent, project, runTool, untilOnline } = await startWorkbench(journey);
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const config = join(machine.directory, "home", "config.json");
  const create = (name: string) =>
    runTool("create_workspace", { projectId: project.id, workspaces: [{ name }] });
  await untilOnline();
  await page.getByRole("link", { name: "Projects" }).press("Enter");
  await page.getByRole("link", { name: "app", exact: true }).press("Enter");
  await page.getByRole("link", { name: "Setup scripts" }).press("Enter");
  const laptop = page.getByRole("list", { name: "Machines" }).getByRole("listitem");
  await laptop.getByText("No scripts").waitFor();
  await laptop.getByText("main has none of .grove/setup, .grove/teardown, .grove/check.").waitFor();
  const checkAgain = () => page.getByRole("button", { name: "Check again" }).press("Enter");

  const folder = join(machine.directory, "app", ".grove");
  await mkdir(folder);
  const script =
    'printf "\\033[31minstalling\\033[0m \\007for $GROVE_WORKSPACE_NAME\\n"; [ "$GROVE_WORKSPACE_NAME" = good ] || exit 7\n';
  await writeFile(join(folder, "setup"), script);
  await git("add", ".");
  await git("commit", "--quiet", "--message", "Set up");
  await checkAgain();
  await laptop.getByText("Scripts do not run").waitFor();
  await laptop.getByText(config).waitFor();
  await laptop.getByText("Never run on this machine").waitFor();
  await laptop.getByRole("button", { name: "Copy the setting for laptop" }).press("Enter");
  const setting = '"allowRepositoryScripts": true';
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(setting);

  const before = await readFile(config, "utf8");
  await writeFile(config, before.replace("{", `{ ${setting}, `));
  await create("bad");
  await checkAgain();
  await laptop.getByText("Scripts run").waitFor();
  const setup = laptop.getByRole("region", { name: ".grove/setup" });
  await setup.getByText("Failed (exit code 7)").waitFor();
  await setup.getByText("Last output of .grove/setup").press("Enter");
  // Colours are removed, and other controls are marked.
  await setup.getByText("installing ␇for bad").waitFor();

  await create("good");
  await checkAgain();
  await setup.getByText("Succeeded (exit code 0)").waitFor();
  await setup.getByText("installing ␇for good").waitFor();
  await agent.end("SIGTERM");
  await laptop.getByText("Its machine is offline.").waitFor();

  await writeFile(config, before);
  machine.run(["start"]);
  // The page reads them again by itself.
  await laptop.getByText("Scripts do not run").waitFor();
  await setup.getByText("Last output of .grove/setup").press("Enter");
  await setup.getByText("installing ␇for good").waitFor();
});
