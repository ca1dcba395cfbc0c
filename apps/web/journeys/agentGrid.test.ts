import { expect, it } from "vitest";
import { useJourney } from "./testing/journey";
import { startWorkbench } from "./testing/workbench";

const journey = useJourney();

it("shows the screens of running agents beside each other, live, by keyboard alone", async () => {
  const { page, client, organizationId, startShell, runTool } = await startWorkbench(journey);
  const first = await startShell("printf 'fir%s\\n' st; read -r answer; printf 'got %s\\n' $answer");
  await runTool("start_agent_session", {
    workspaceId: first.workspaceId,
    prompt: "# Second\nprintf 'sec%s\\n' ond",
  });
  await page.getByRole("link", { name: "Agents" }).press("Enter");
  await page.getByRole("table", { name: "Agents" }).waitFor();
  await page.keyboard.press("v");
  const tiles = page.getByRole("list", { name: "Screens" }).getByRole("listitem");
  await expect.poll(() => tiles.count()).toBe(2);
  // The newest is first.
  await expect.poll(() => tiles.nth(0).textContent()).toMatch(/# Second.*second/s);
  await expect.poll(() => tiles.nth(1).textContent()).toContain("first");
  await client.agent.sendInput.mutate({ organizationId, id: first.id, text: "words\r" });
  await expect.poll(() => tiles.nth(1).textContent()).toContain("got words");
  // The whole screen fits into the tile.
  const fits = await tiles.nth(1).evaluate((tile) => {
    const screen = tile.querySelector(".xterm-screen")?.getBoundingClientRect();
    const frame = tile.getBoundingClientRect();
    return screen !== undefined && screen.right <= frame.right && screen.bottom <= frame.bottom;
  });
  expect(fits).toBe(true);

  await page.reload();
  await expect.poll(() => tiles.count()).toBe(2);
  await page.getByLabel("State").selectOption("ended");
  await page.getByRole("heading", { name: "No agents are running" }).waitFor();
  await page.getByLabel("State").selectOption("running");
  await expect.poll(() => tiles.count()).toBe(2);
  await tiles.nth(0).getByRole("link", { name: "# Second" }).press("Enter");
  await page.getByRole("heading", { name: "# Second" }).waitFor();
  await page.goBack();
  await expect.poll(() => tiles.count()).toBe(2);
  await page.keyboard.press("v");
  await page.getByRole("table", { name: "Agents" }).waitFor();
});
