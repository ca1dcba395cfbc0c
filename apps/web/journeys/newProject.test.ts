import { mkdir } from "node:fs/promises";
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

  // A directory that is no repository is refused in the device's words.
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
