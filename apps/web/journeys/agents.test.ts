import type { Page } from "@grove/testing/browser";
import { expect, it } from "vitest";
import { useJourney } from "./testing/journey";
import { startWorkbench } from "./testing/workbench";

const journey = useJourney();

/** The text of the terminal's screen, with one space for any blank. */
const screen = async (page: Page) =>
  ((await page.getByRole("region", { name: "Terminal" }).textContent()) ?? "").replaceAll(/\s+/g, " ");

it("starts an agent, watches, takes the keyboard, types fast and in order, and stops it", async () => {
  const { page, client, organizationId, project, device } = await startWorkbench(journey);
  const made = await client.agent.execute.mutate({
    organizationId,
    deviceId: device.id,
    tool: "create_workspace",
    params: { projectId: project.id, workspaces: [{ name: "sign-in" }] },
    ifOffline: "queue",
  });
  expect(made.status).toBe("succeeded");
  await page.getByRole("link", { name: "Agents" }).click();
  await page.getByRole("heading", { name: "No agent has worked yet" }).waitFor();
  await page.getByRole("link", { name: "Start an agent" }).click();
  await page.getByRole("option", { name: /^shell/ }).waitFor({ state: "attached" });
  await page.getByLabel("Prompt").fill("printf 'hel%s\\n' lo");
  await page.getByRole("button", { name: "Start the agent" }).click();
  await page.getByText("You watch").waitFor();
  await expect.poll(() => screen(page)).toContain("hello");

  // A viewer types nothing.
  await page.keyboard.type("not for you");
  await page.keyboard.press("i");
  await page.getByText("You type").waitFor();
  const alphabet = "abcdefghijklmnopqrstuvwxyz0123456789";
  await page.keyboard.type(`printf '%s\\033[6n\\033]52;c;aGVsbG8=\\007<end>\\n' ${alphabet}`);
  await page.keyboard.press("Enter");
  await expect.poll(() => screen(page)).toContain(`${alphabet}<end>`);
  expect(await screen(page)).not.toMatch(/not for you|;\d+R/);

  await page.keyboard.press("F6");
  await page.getByText("You watch").waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByRole("button", { name: "Stop the agent" }).click();
  await page.getByText("Stopped").waitFor();
  await page.getByRole("link", { name: "Agents" }).click();
  await page.getByRole("row", { name: /shell/ }).getByText("Stopped").waitFor();
});
