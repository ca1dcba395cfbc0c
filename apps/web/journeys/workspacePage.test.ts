import { expect, it } from "vitest";
import { useJourney } from "./testing/journey";
import { typeLine, untilShown } from "./testing/terminal";
import { startWorkbench } from "./testing/workbench";

const journey = useJourney();

it("shows terminals and changes side by side, resizes and maximizes them by keyboard, and has tabs when narrow", async () => {
  const { page, client, organizationId, project, runTool } = await startWorkbench(journey);
  await runTool("create_workspace", { projectId: project.id, workspaces: [{ name: "sign-in" }] });
  await page.getByRole("link", { name: "Workspaces" }).click();
  await page.getByRole("link", { name: "sign-in" }).first().click();

  const tabs = page.getByRole("navigation", { name: "Workspace" });
  const current = () => tabs.locator("[aria-current=page]").allTextContents();
  const terminal = page.getByRole("region", { name: "Terminal" });
  const changes = page.getByRole("region", { name: "Changes" });
  const noChanges = page.getByRole("heading", { name: "No changes" });
  const focused = () => page.evaluate("document.activeElement?.ariaLabel");
  await noChanges.waitFor();
  await page.getByText("No agent was started here yet.").waitFor();
  expect(await current()).toEqual([]);

  // A shell changes a file, and the change appears beside it.
  await page.getByRole("button", { name: "Terminal" }).press("Enter");
  await page.getByText("Read-only").waitFor();
  await expect.poll(current).toEqual([expect.stringContaining("Terminal")]);
  await page.keyboard.press("i");
  await page.getByText("Typing", { exact: true }).waitFor();
  await typeLine(page, "echo 'hello from the shell' > notes.txt; printf 'do%s>\\n' ne");
  await untilShown(page, "done>");
  await page.evaluate(() => dispatchEvent(new Event("visibilitychange")));
  await changes.getByText("hello from the shell").waitFor();
  // A hidden page does not poll, so only the button reads the changes, and what can be done with them.
  const setVisibility = (state: "hidden" | "visible") =>
    page.evaluate((value) => {
      Object.defineProperty(document, "visibilityState", { value, configurable: true });
      dispatchEvent(new Event("visibilitychange"));
    }, state);
  const commit = page.getByRole("button", { name: "Commit" });
  await expect.poll(() => commit.isEnabled()).toBe(true);
  await setVisibility("hidden");
  await typeLine(page, "mv notes.txt ..; printf 'mov%s>\\n' ed");
  await untilShown(page, "moved>");
  await page.getByRole("button", { name: "Refresh the changes" }).click();
  await expect.poll(() => commit.isEnabled()).toBe(false);
  await setVisibility("visible");
  await terminal.getByRole("textbox").focus();
  await typeLine(page, "mv ../notes.txt .; echo 'another line' >> notes.txt; printf 'sav%s>\\n' ed");
  await untilShown(page, "saved>");
  await page.getByRole("button", { name: "Refresh the changes" }).click();
  await changes.getByText("another line").waitFor();
  expect(await terminal.isVisible()).toBe(true);

  // The divider moves by keyboard and by pointer, and keeps its position.
  const divider = page.getByRole("separator", { name: "Width of the left side" });
  const position = async () => Number(await divider.getAttribute("aria-valuenow"));
  const width = async () => (await terminal.boundingBox())?.width ?? 0;
  expect(await position()).toBe(50);
  const before = await width();
  await divider.press("ArrowLeft");
  await expect.poll(position).toBe(45);
  await expect.poll(width).toBeLessThan(before);
  const box = await divider.boundingBox();
  if (!box) throw new Error("the divider is not visible");
  await page.mouse.move(box.x + 3, box.y + 100);
  await page.mouse.down();
  await page.mouse.move(0, box.y + 100);
  await page.mouse.up();
  await expect.poll(position).toBe(25);
  await divider.press("End");
  await expect.poll(position).toBe(75);
  await page.reload();
  await changes.getByText("another line").waitFor();
  await untilShown(page, "saved>");
  expect(await position()).toBe(75);
  await divider.press("ArrowLeft");

  // `\` maximizes the side that has the focus, and shows both again. `d` moves the focus to the changes.
  await page.keyboard.press("d");
  await expect.poll(focused).toBe("Changes");
  await page.keyboard.press("\\");
  await terminal.waitFor({ state: "detached" });
  expect(new URL(page.url()).searchParams.get("only")).toBe("changes");
  await page.keyboard.press("\\");
  await terminal.waitFor();
  await tabs.getByRole("link", { name: "Terminal" }).press("Enter");
  await page.getByRole("button", { name: "Maximize the left side" }).press("Enter");
  await changes.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Show both sides" }).press("Enter");
  // `w` moves the focus to the overview, beside the terminal.
  await changes.waitFor();
  await page.keyboard.press("w");
  await expect.poll(focused).toBe("Overview");
  await page.getByText("uncommitted changes", { exact: true }).waitFor();
  expect(await terminal.isVisible()).toBe(true);
  await page.keyboard.press("d");
  await changes.getByText("another line").waitFor();
  // `i` also works from outside the terminal. Inside, the keys belong to the program.
  await tabs.getByRole("link", { name: "Terminal" }).press("Enter");
  await terminal.waitFor();
  await page.getByRole("navigation", { name: "Right side" }).click({ position: { x: 1, y: 1 } });
  await page.keyboard.press("i");
  await page.getByText("Typing", { exact: true }).waitFor();
  await page.keyboard.type("echo d\\\\d");
  await page.keyboard.press("Enter");
  await untilShown(page, /d\\d/);
  expect(await changes.isVisible()).toBe(true);

  // The changes of a link, and a session of another page, open in this page.
  const address = page.url().replace(/\?.*/, "");
  await page.goto(`${address}/diff#notes.txt:R2`);
  await page.getByRole("region", { name: "Selected lines" }).getByText("notes.txt:2").waitFor();
  expect(page.url()).toBe(`${address}?only=changes#notes.txt:R2`);
  const [session] = await client.agent.listSessions.query({ organizationId });
  await page.goto(address.replace(/workspaces.*/, `agents/${session?.id}`));
  await page.getByRole("link", { name: "sign-in" }).click();
  await expect.poll(() => new URL(page.url()).searchParams.get("tab")).toBe(session?.id);

  await page.setViewportSize({ width: 1_279, height: 800 });
  await divider.waitFor({ state: "detached" });
  await untilShown(page, "saved>");
  await expect.poll(current).toEqual([expect.stringContaining("Terminal")]);
  await tabs.getByRole("link", { name: "Changes" }).press("Enter");
  await changes.getByText("another line").waitFor();
  await expect.poll(current).toEqual(["Changes"]);
  expect(await terminal.count()).toBe(0);
  await tabs.getByRole("link", { name: "Overview" }).press("Enter");
  await page.getByText("uncommitted changes", { exact: true }).waitFor();
  await page.keyboard.press("d");
  await expect.poll(current).toEqual(["Changes"]);
  await tabs.getByRole("link", { name: "Terminal" }).press("Enter");
  await untilShown(page, "saved>");

  // A session gets a name here, and shows its agent beside it.
  await page.getByRole("button", { name: "Rename the session" }).press("Enter");
  await page.getByLabel("New name").fill("Notes");
  await page.keyboard.press("Enter");
  await expect.poll(current).toEqual([expect.stringContaining("Notes")]);
  await page.getByText("shell", { exact: true }).waitFor();

  // An ended session keeps its tab and its output.
  await page.getByRole("button", { name: "Stop" }).press("Enter");
  await page.getByRole("button", { name: "Stop agent" }).press("Enter");
  await tabs.getByText("Stopped").waitFor();
  await page.getByRole("button", { name: "Start again" }).waitFor();
  await untilShown(page, "saved>");

  // The checks at the end of the test see both sides.
  await page.setViewportSize({ width: 1_280, height: 800 });
  await divider.waitFor();
  await changes.getByText("another line").waitFor();
});

it("keeps a new terminal, and what is typed in it, when the answer to its start arrives later than the session", async () => {
  const { page, project, runTool } = await startWorkbench(journey);
  await runTool("create_workspace", { projectId: project.id, workspaces: [{ name: "sign-in" }] });
  await page.getByRole("link", { name: "Workspaces" }).click();
  await page.getByRole("link", { name: "sign-in" }).first().click();
  await page.getByText("No agent was started here yet.").waitFor();
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/agent\.execute/, async (route) => {
    if (!route.request().postData()?.includes("start_agent_session")) return route.fallback();
    const response = await route.fetch();
    await isReleased;
    await route.fulfill({ response });
  });
  await page.getByRole("button", { name: "Terminal" }).press("Enter");
  await page.getByText("Read-only").waitFor();
  await expect.poll(() => page.evaluate("document.activeElement?.ariaLabel")).toBe("Terminal");
  await page.keyboard.press("i");
  await page.getByText("Typing", { exact: true }).waitFor();
  await page.keyboard.type("echo fi''rst");
  await untilShown(page, "echo fi''rst");
  release();
  await page.waitForURL(/tab=/);
  await typeLine(page, "-second");
  await untilShown(page, "first-second");
});
