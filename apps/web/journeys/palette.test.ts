import { expect, it } from "vitest";
import { boardWith } from "./testing/board";
import { holdFirst } from "./testing/intercept";
import { useJourney } from "./testing/journey";

const journey = useJourney();

it("runs actions of the user and of the page, and finds exact titles and open tasks first", async () => {
  const { page, client, organizationId, tasks, path } = await boardWith(
    journey,
    "Sign out everywhere",
    "Dark",
    "Dark mode",
    "Notifications by mail",
  );
  const [, dark, mode] = tasks;
  await client.task.update.mutate({ organizationId, id: mode?.id ?? "", status: "canceled" });
  const search = page.getByRole("combobox", { name: "Search or run a command" });
  const run = async (text: string, option: RegExp) => {
    await page.keyboard.press("Control+k");
    await search.fill(text);
    await page.getByRole("option", { name: option }).waitFor();
    await expect.poll(() => page.getByRole("option").first().textContent()).toMatch(option);
    await search.press("Enter");
    await search.waitFor({ state: "detached" });
  };
  const theme = () => page.evaluate("document.documentElement.dataset.theme");
  await run("theme dark", /^Theme: Dark/);
  expect(await theme()).toBe("dark");
  await run("theme: system", /^Theme: System/);
  expect(await theme()).toBeUndefined();

  // The task's title is the text, the theme's only contains it. The canceled task is last.
  await page.keyboard.press("Control+k");
  await search.fill("dark");
  await page.getByRole("group", { name: "Best match" }).getByRole("option", { name: /^Dark/ }).waitFor();
  const options = page.getByRole("option");
  await expect.poll(() => options.last().textContent()).toMatch(/^Dark mode/);
  await search.press("Enter");
  await page.getByRole("heading", { name: "Dark", exact: true }).waitFor();

  await run("hand over", /^Hand over to an agent/);
  await page.getByRole("dialog", { name: "Hand over to an agent" }).waitFor();
  await page.getByRole("button", { name: "Cancel" }).click();
  await run("delete", /^Delete the task/);
  await page.getByText("Deleted “Dark”").waitFor();
  expect(new URL(page.url()).pathname).toBe(path);
  expect((await client.task.list.query({ organizationId })).map(({ id }) => id)).not.toContain(dark?.id);

  await run("notifications", /^Notifications/);
  await page.getByRole("heading", { name: "Notifications", exact: true }).waitFor();
  await run("audit", /^Organization settings › Audit log/);
  await expect.poll(() => new URL(page.url()).search).toBe("?tab=audit");
  await run("integrations", /^Organization settings › Integrations/);
  await expect.poll(() => new URL(page.url()).search).toBe("?tab=integrations");
  await run("usage", /^Organization settings › Usage/);
  await page.getByRole("heading", { name: "Retention" }).waitFor();
  await run("sign out", /^Sign out/);
  await page.getByRole("button", { name: "Sign in" }).waitFor();
});

it("searches for the letters that were typed while its code was loading", async () => {
  const { page } = await boardWith(journey, "Fix login");
  const code = "**/assets/palette-*.js";
  const release = await holdFirst(page, code);
  const isRequested = page.waitForRequest(code);
  await page.keyboard.press("j");
  await page.keyboard.press("Control+k");
  await isRequested;
  // The last shortcut's letter is the first of the text.
  await page.keyboard.type("just ?");
  release();
  const search = page.getByRole("combobox", { name: "Search or run a command" });
  await expect.poll(() => search.inputValue()).toBe("just ?");
  await search.fill("Fix login");
  await page.getByRole("option", { name: /^Fix login/ }).waitFor();
});

it("opens the shortcuts at the page's own keys", async () => {
  const { page } = await boardWith(journey, "Fix login");
  await page.setViewportSize({ width: 900, height: 400 });
  await page.keyboard.press("?");
  const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await sheet.waitFor();
  const heading = sheet.getByRole("heading", { name: "Keyboard shortcuts" });
  await expect.poll(() => heading.evaluate((element) => element === document.activeElement)).toBe(true);
  expect(await sheet.evaluate(({ scrollTop }) => scrollTop)).toBe(0);
  expect(await sheet.getByRole("heading", { level: 3 }).first().textContent()).toBe("Tasks");
  await page.keyboard.press("Escape");
  await sheet.waitFor({ state: "detached" });
});
