import { readFile, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { useJourney } from "./testing/journey";
import { startWorkbench } from "./testing/workbench";

const journey = useJourney();

it("lists a machine's agents, and adds one after its owner has seen what will be written", async () => {
  const { page, machine, untilOnline } = await startWorkbench(journey);
  const file = join(machine.directory, "home", "config.json");
  const before = JSON.parse(await readFile(file, "utf8"));
  await untilOnline();
  await page.getByRole("link", { name: "Devices" }).click();
  await page.getByRole("link", { name: "laptop" }).click();
  await page
    .getByText(/^\d+(\.\d)? \w+ free of \d+/)
    .nth(1)
    .waitFor();
  await page.getByText(/ on \d+ processors?$/).waitFor();
  await page.getByRole("definition").filter({ hasText: hostname() }).first().waitFor();
  const found = page.getByRole("list", { name: "Agents found" }).getByRole("listitem");
  await found.filter({ hasText: "shell" }).getByText("From config.json").waitFor();
  await page.getByText(/not installed: .*copilot/).click();
  await page.getByText("npm install -g @github/copilot").waitFor();

  const dialog = page.getByRole("dialog");
  await page.getByRole("button", { name: "Add an agent" }).click();
  await dialog.getByLabel("Name").fill("mine");
  await dialog.getByLabel("Command").fill("sh -c 'cat; exec sh");
  await dialog.getByText("The closing quote is missing.").waitFor();
  await dialog.getByLabel("Command").fill("sh -c 'cat; exec sh'");
  await dialog.getByRole("button", { name: "Review" }).click();
  await dialog.getByRole("button", { name: "Add" }).click();
  // The device's words.
  await dialog.getByText("must have {prompt} among its arguments").waitFor();
  expect(JSON.parse(await readFile(file, "utf8"))).toEqual(before);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await dialog.getByLabel("How to pass the prompt").selectOption("stdin");
  await dialog.getByRole("button", { name: "Review" }).click();
  await dialog.getByText(file).waitFor();
  const agent = { command: ["sh", "-c", "cat; exec sh"], prompt: "stdin" };
  const shown = await dialog.getByText('"agents"').textContent();
  expect(JSON.parse(shown ?? "")).toEqual({ agents: { mine: agent } });
  await dialog.getByRole("button", { name: "Add" }).click();
  await found.filter({ hasText: "mine" }).waitFor();
  expect(JSON.parse(await readFile(file, "utf8"))).toEqual({
    ...before,
    agents: { ...before.agents, mine: agent },
  });

  await writeFile(file, '{ "maxSessions": "many" }');
  await page.reload();
  await page.getByText("Could not list the agents.").waitFor();
  expect(await page.getByText(/config\.json cannot be used: maxSessions/).count()).toBe(1);
});
