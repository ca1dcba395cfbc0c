import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { succeed } from "@grove/testing/process";
import { expect, it } from "vitest";
import { useJourney } from "./testing/journey";
import { untilShown } from "./testing/terminal";
import { startWorkbench } from "./testing/workbench";

const journey = useJourney();

it("leads from an empty organization to the terminal of an agent with three clicks", async () => {
  const { page, client, organizationId, machine, project, untilOnline } = await startWorkbench(journey);
  await client.project.delete.mutate({ organizationId, id: project.id });
  const repository = join(machine.directory, "code", "shop");
  await mkdir(repository, { recursive: true });
  const git = (...args: string[]) =>
    succeed(["git", "-c", "user.name=Ada", "-c", "user.email=ada@example.com", ...args], {
      cwd: repository,
      env: { PATH: process.env.PATH, HOME: machine.directory },
    });
  await git("init", "--quiet", "--initial-branch", "main");
  await git("commit", "--quiet", "--allow-empty", "--message", "Begin");
  await untilOnline();
  await page.reload();
  await page.evaluate(() => {
    const clicks: string[] = [];
    // The Enter that submits a form clicks its button, too, without a position.
    addEventListener("click", ({ detail, target }) => {
      if (detail > 0 && target instanceof Element) clicks.push(target.textContent);
    });
    Object.assign(globalThis, { clicks });
  });

  await page.getByText("Add a device (a machine on which agents run)").waitFor();
  await page.getByRole("link", { name: "Add a project" }).click();
  // The field has the focus.
  const field = page.getByRole("combobox", { name: "Repository" });
  await expect.poll(() => field.evaluate((input) => input === document.activeElement)).toBe(true);
  await page.keyboard.type("~/code/shop");
  await page.getByRole("option", { name: /shop/ }).waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "shop" }).waitFor();
  await page.getByRole("link", { name: "New workspace" }).first().click();
  const prompt = page.getByLabel("Prompt (optional)");
  await expect.poll(() => prompt.evaluate((input) => input === document.activeElement)).toBe(true);
  await page.keyboard.type("printf 'he%s>\\n' re");
  await page.getByRole("button", { name: "Create 1 workspace and start agent" }).click();
  await untilShown(page, "here>");
  expect(await page.evaluate("clicks.length")).toBe(3);
});
