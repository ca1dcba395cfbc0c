import type { Locator, Page } from "@grove/testing/browser";
import { expect, it } from "vitest";
import { boardWith, card } from "./testing/board";
import { holdFirst } from "./testing/intercept";
import { useJourney } from "./testing/journey";
import { useProviders } from "./testing/providers";

const providers = await useProviders();
const journey = useJourney(providers.env);

/** Presses a key that an input method handles, as a browser reports it. */
const pressComposing = (field: Locator, key: string) =>
  field.evaluate((element, name) => {
    const init = { key: name, keyCode: 229, isComposing: true, bubbles: true, cancelable: true };
    element.dispatchEvent(new KeyboardEvent("keydown", init));
  }, key);

it("imports an issue, and moves its card when its pull request is merged", async () => {
  const person = await boardWith(journey);
  const { page, path, client, organizationId } = person;
  expect(await page.getByRole("button", { name: "Import an issue" }).count()).toBe(0);
  const deliverMerge = await providers.connect(person, journey.api.url);
  await page.reload();
  await page.getByRole("button", { name: "Import an issue" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Import an issue" });
  await dialog.press("Escape");
  await page.keyboard.press("i");
  await dialog.getByLabel("Team").selectOption("Edison (ED)");
  await dialog.getByRole("button", { name: /ED-2/ }).waitFor();
  await dialog.getByLabel("Search").fill("issue 1");
  await dialog.getByRole("button", { name: /ED-2/ }).waitFor({ state: "detached" });
  await dialog.getByRole("button", { name: /ED-1/ }).click();
  await page.getByRole("heading", { name: "Issue 1" }).waitFor();
  await page.goto(journey.api.url + path);
  await card(page, "In progress", "Issue 1").waitFor();
  const [task] = await client.task.list.query({ organizationId });
  await deliverMerge(`Closes task ${task?.slug}.`);
  await card(page, "Done", "Issue 1").waitFor();
});

it("edits a task in place, and renders its text without running scripts", async () => {
  const { page, path, client, organizationId, tasks } = await boardWith(journey, "Fix login");
  const id = tasks[0]?.id ?? "";
  await client.task.update.mutate({
    organizationId,
    id,
    branch: "fix-login",
    description:
      "**bold** <img src=x onerror=alert(1)> ![pixel](https://evil.example/x.png) [go](javascript:alert(1))",
  });
  await page.goto(`${journey.api.url}${path}/${tasks[0]?.slug}`);
  await page.getByRole("strong").filter({ hasText: "bold" }).waitFor();
  expect(await page.getByRole("img").count()).toBe(0);
  expect(await page.getByRole("link", { name: "go" }).count()).toBe(0);

  await page.getByRole("button", { name: "Edit the title" }).click();
  await page.getByLabel("Title").fill("Fix the login");
  for (const key of ["Escape", "Enter"]) await pressComposing(page.getByLabel("Title"), key);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Fix the login" }).waitFor();
  const labels = page.getByRole("combobox", { name: "Labels" });
  await labels.fill("にほん");
  for (const key of ["Escape", "Enter"]) await pressComposing(labels, key);
  expect(await labels.inputValue()).toBe("にほん");
  expect((await client.task.get.query({ organizationId, id })).labels).toEqual([]);
  // Changes are sent one after the other: the API may run two calls in any order.
  let inFlight = 0;
  let maxInFlight = 0;
  let answer: () => void = () => undefined;
  const mayAnswer = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route("**/*task.update*", async (route) => {
    const calls = route.request().url().split("task.update").length - 1;
    inFlight += calls;
    maxInFlight = Math.max(maxInFlight, inFlight);
    const response = await route.fetch();
    await mayAnswer;
    inFlight -= calls;
    await route.fulfill({ response });
  });
  await labels.fill("api, bug");
  await page.getByLabel("Pull request").fill("https://example.com/pull/1");
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: "Open the pull request" }).waitFor();
  answer();
  await expect
    .poll(() => client.task.get.query({ organizationId, id }))
    .toMatchObject({ title: "Fix the login", labels: ["api", "bug"], prUrl: "https://example.com/pull/1" });
  expect(maxInFlight).toBe(1);
});

it("highlights code in a task's description and comments", async () => {
  const { page, path, client, organizationId, tasks } = await boardWith(journey, "Fix login");
  const [id, slug] = [tasks[0]?.id ?? "", tasks[0]?.slug];
  const fenced = (language: string, code: string) => `\`\`\`${language}\n${code}\n\`\`\``;
  const long = `const long = 1;${" //".repeat(4_000)}`;
  await client.task.update.mutate({
    organizationId,
    id,
    description: [
      fenced("ts", "return '<b>';"),
      fenced("diff", "-old\n+new"),
      fenced("cobol", "MOVE A TO B"),
      fenced("ts", long),
    ].join("\n\n"),
  });
  await client.task.addComment.mutate({ organizationId, id, body: fenced("py", "def f(): pass") });
  await page.goto(`${journey.api.url}${path}/${slug}`);
  const color = (text: string) =>
    page.getByText(text, { exact: true }).evaluate((element) => getComputedStyle(element).color);
  const plain = await color("MOVE A TO B");
  const colors = await Promise.all(["return", "-old", "+new", "def"].map(color));
  expect(colors).not.toContain(plain);
  expect(colors[0]).toBe(colors[3]);
  expect(await page.getByText(/^const long/).evaluate((element) => element.children.length)).toBe(0);
});

it("adds labels that are in use, removes them by keys and by pointer, and filters by them", async () => {
  const { page, path, client, organizationId, tasks } = await boardWith(journey, "Fix login", "Write docs");
  const [fix, docs] = tasks;
  if (!fix || !docs) throw new Error("no task was made");
  const labelsOf = async () => (await client.task.get.query({ organizationId, id: fix.id })).labels;
  await client.task.update.mutate({ organizationId, id: docs.id, labels: ["api", "docs", "a, b"] });
  await page.goto(`${journey.api.url}${path}/${fix.slug}`);
  const field = page.getByRole("combobox", { name: "Labels" });
  await field.pressSequentially("ap");
  await page.getByRole("option", { name: "api" }).click();
  await expect.poll(labelsOf).toEqual(["api"]);
  await field.pressSequentially("do");
  await page.getByRole("option", { name: "docs" }).waitFor();
  for (const key of ["ArrowDown", "Enter"]) await field.press(key);
  await expect.poll(labelsOf).toEqual(["api", "docs"]);
  await field.pressSequentially("new one,");
  await field.pressSequentially("api");
  await field.press("Enter");
  await expect.poll(labelsOf).toEqual(["api", "docs", "new one"]);
  await page.getByRole("button", { name: "Remove the label docs" }).click();
  await expect.poll(labelsOf).toEqual(["api", "new one"]);
  expect(await field.evaluate((input) => input === document.activeElement)).toBe(true);
  await field.press("Backspace");
  await expect.poll(labelsOf).toEqual(["api"]);
  await page.getByRole("button", { name: "Remove the label api" }).press("Enter");
  await expect.poll(labelsOf).toEqual([]);

  await page.goto(journey.api.url + path);
  await card(page, "Todo", "Fix login").waitFor();
  await page.getByRole("button", { name: "Label: Any label" }).click();
  await page.getByRole("menuitemcheckbox", { name: "a, b" }).click();
  await page.getByRole("menuitemcheckbox", { name: "docs" }).click();
  await card(page, "Todo", "Fix login").waitFor({ state: "detached" });
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Label: a, b, docs" }).waitFor();
  await page.reload();
  await card(page, "Todo", "Write docs").waitFor();
  await page.getByRole("button", { name: "Label: a, b, docs" }).waitFor();
});

it("creates a task with all its fields, and opens the form that hands it over", async () => {
  const { page, client, organizationId, userId } = await boardWith(journey);
  await client.project.create.mutate({
    organizationId,
    name: "Shop",
    slug: "shop",
    repoOwner: "acme",
    repoName: "shop",
    repoUrl: "https://example.com/acme/shop.git",
  });
  await page.keyboard.press("n");
  const dialog = page.getByRole("dialog", { name: "New task" });
  await dialog.getByRole("button", { name: "Create and hand over" }).click();
  // The title is missing.
  await dialog.getByLabel("Title").fill("Fix login");
  // Escape closes a list, and not the dialog around it.
  await dialog.getByLabel("Assignee").press("Space");
  await page.keyboard.press("Escape");
  await dialog.getByLabel("Assignee").selectOption("Ada Lovelace");
  await dialog.getByLabel("Project").selectOption("Shop");
  await dialog.getByLabel("Labels").fill("bug, api, bug");
  await dialog.getByLabel("Due date").fill("2028-02-03");
  await dialog.getByRole("button", { name: "Create and hand over" }).click();
  const form = page.getByRole("dialog", { name: "Hand over to an agent" });
  await form.getByText("First add a machine.").waitFor();
  expect(await form.getByLabel("Prompt").inputValue()).toBe("Fix login");
  const [task] = await client.task.list.query({ organizationId });
  expect(task).toMatchObject({ assigneeId: userId, labels: ["bug", "api"], dueDate: "2028-02-03" });
  expect(await form.getByLabel("Project").inputValue()).toBe(task?.projectId);
  await form.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("heading", { name: "Fix login" }).waitFor();
  // The form opens only once.
  await page.goBack();
  await client.task.create.mutate({ organizationId, title: "Write docs" });
  await card(page, "Backlog", "Write docs").waitFor();
  await page.getByRole("button", { name: "Project: Any project" }).click();
  await page.getByRole("menuitemcheckbox", { name: "Shop" }).click();
  await page.keyboard.press("Escape");
  await card(page, "Backlog", "Write docs").waitFor({ state: "detached" });
  expect(new URL(page.url()).search).toBe(`?project=${task?.projectId}`);
  await card(page, "Backlog", "Fix login").click();
  await page.getByRole("heading", { name: "Fix login" }).waitFor();
  expect(await form.count()).toBe(0);
});

/** Presses keys as soon as the focused field loses the focus or is removed, as a person does who keeps typing. */
const pressWhenLeft = (page: Page, keys: string) =>
  page.evaluate(`{
    const field = document.activeElement;
    let isPressed = false;
    const press = () => {
      if (isPressed) return;
      isPressed = true;
      for (const key of ${JSON.stringify(keys)})
        document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    };
    field.addEventListener("blur", () => queueMicrotask(press));
    new MutationObserver((_, observer) => {
      if (field.isConnected) return;
      observer.disconnect();
      press();
    }).observe(document, { childList: true, subtree: true });
  }`);

it("runs no shortcut for letters that were meant for a dialog or a field", async () => {
  const { page, path, tasks } = await boardWith(journey, "Fix login");
  await card(page, "Todo", "Fix login").waitFor();
  // The dialog for a new task is still loading. Its field gets the letters, which are shortcuts elsewhere.
  const dialogCode = "**/assets/newTaskDialog-*.js";
  const load = await holdFirst(page, dialogCode);
  const isRequested = page.waitForRequest(dialogCode);
  await page.keyboard.press("n");
  await isRequested;
  await page.keyboard.type("no?gs ");
  load();
  const form = page.getByRole("dialog", { name: "New task" });
  await form.getByLabel("Title").waitFor();
  await expect.poll(() => page.evaluate("document.activeElement?.getAttribute('name')")).toBe("title");
  await expect.poll(() => form.getByLabel("Title").inputValue()).toBe("no?gs ");
  expect(await page.getByRole("menu").count()).toBe(0);
  // Enter closes the form. The rest of the text is ignored.
  await page.keyboard.type("Write docs");
  await pressWhenLeft(page, "?no");
  await page.keyboard.press("Enter");
  await form.waitFor({ state: "detached" });
  await card(page, "Backlog", "no?gs Write docs").waitFor();
  expect(await page.getByRole("dialog").count()).toBe(0);

  // The page with the edited field navigates away by itself.
  await card(page, "Todo", "Fix login").click();
  await page.waitForURL(`**/${tasks[0]?.slug}`);
  await page.getByRole("button", { name: "Edit the title" }).click();
  await page.getByLabel("Title").pressSequentially("Fix");
  await pressWhenLeft(page, "no?gs");
  await page.evaluate("history.back()");
  await page.getByLabel("Title").waitFor({ state: "detached" });
  // Escape ends it.
  await page.keyboard.press("Escape");
  await card(page, "Todo", "Fix login").waitFor();
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  expect(await form.count()).toBe(0);
  expect(new URL(page.url()).pathname).toBe(path);
});

it("restores a deleted task by its toast, and later by its URL", async () => {
  const { page, path, tasks, status } = await boardWith(journey, "Fix login", "Write docs");
  await card(page, "Todo", "Fix login").hover();
  await page.getByRole("button", { name: "Actions for Fix login" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await card(page, "Todo", "Fix login").waitFor({ state: "detached" });
  await expect.poll(() => page.evaluate("document.activeElement?.textContent")).toBe("Write docs");
  await page.getByRole("button", { name: "Undo" }).click();
  await card(page, "Todo", "Fix login").click();
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByText("Deleted “Fix login”").waitFor();
  expect(await status("Fix login")).toBeUndefined();
  journey.expectMessage(page, /404/);
  await page.goto(`${journey.api.url}${path}/${tasks[0]?.slug}`);
  await page.getByRole("button", { name: "Restore it" }).click();
  await page.getByRole("heading", { name: "Fix login" }).waitFor();
});
