import type { Locator, Page } from "@grove/testing/browser";
import { expect, it } from "vitest";
import { dragCard } from "./testing/drag";
import { useJourney } from "./testing/journey";
import { report } from "./testing/measured";
import { someone } from "./testing/people";
import { useProviders } from "./testing/providers";
import { dragOverBoard, multiplyTask, timeToCards } from "./testing/thousand";

const providers = await useProviders();
const journey = useJourney(providers.env);

/** A user on a board with some tasks. */
async function boardWith(...titles: string[]) {
  const person = await someone(journey);
  const { client, organizationId, page } = person;
  const [organization] = await client.organization.list.query();
  const tasks = [];
  for (const title of titles)
    tasks.push(await client.task.create.mutate({ organizationId, title, status: "todo" }));
  const path = `/o/${organization?.slug}/tasks`;
  await page.goto(journey.api.url + path);
  await page.getByRole("heading", { name: "Tasks", exact: true }).waitFor();
  const status = async (title: string) =>
    (await client.task.list.query({ organizationId })).find((task) => task.title === title)?.status;
  return { ...person, path, tasks, status };
}

const column = (page: Page, name: string) => page.getByRole("region", { name });
/** The titles of a column's cards, in order. */
const titlesIn = (page: Page, name: string) =>
  column(page, name).getByRole("listitem").getByRole("link").allTextContents();
const card = (page: Page, name: string, title: string) =>
  column(page, name).getByRole("link", { name: title, exact: true });

/** Presses a key that an input method handles, as a browser reports it. */
const pressComposing = (field: Locator, key: string) =>
  field.evaluate((element, name) => {
    const init = { key: name, keyCode: 229, isComposing: true, bubbles: true, cancelable: true };
    element.dispatchEvent(new KeyboardEvent("keydown", init));
  }, key);

it("moves cards by keyboard alone, and keeps the focus on them", async () => {
  const { page, status } = await boardWith("Ship it", "Fix login", "Write docs");
  const focused = () => page.evaluate("document.activeElement?.textContent");
  await card(page, "Todo", "Write docs").focus();
  await page.keyboard.press("ArrowDown");
  expect(await focused()).toBe("Fix login");
  await page.keyboard.press("Space");
  await page.getByText("Fix login: lifted. Todo, 2 of 3.").waitFor();
  await page.keyboard.press("ArrowDown");
  await page.getByText("Fix login: Todo, 3 of 3.").waitFor();
  await page.keyboard.press("Space");
  await page.getByText("Fix login: dropped. Todo, 3 of 3.").waitFor();
  await page.getByText("Moved “Fix login”").waitFor();
  expect(await titlesIn(page, "Todo")).toEqual(["Write docs", "Ship it", "Fix login"]);
  expect(await focused()).toBe("Fix login");
  await page.keyboard.press("Control+z");
  await expect.poll(() => titlesIn(page, "Todo")).toEqual(["Write docs", "Fix login", "Ship it"]);
  expect(await focused()).toBe("Fix login");
  for (const key of ["Space", "ArrowRight", "ArrowRight", "Escape"]) await page.keyboard.press(key);
  await card(page, "Todo", "Fix login").waitFor();
  for (const key of ["Space", "ArrowRight", "Space"]) await page.keyboard.press(key);
  await card(page, "In progress", "Fix login").waitFor();
  await expect.poll(() => status("Fix login")).toBe("in_progress");
  await expect.poll(focused).toBe("Fix login");
  await page.keyboard.press("s");
  await page.getByRole("menuitemradio", { name: "Done" }).press("Enter");
  await card(page, "Done", "Fix login").waitFor();
  await expect.poll(focused).toBe("Fix login");
  await expect.poll(() => status("Fix login")).toBe("done");
});

it("shows two users each other's changes", async () => {
  const ada = await boardWith("Ship it", "Write docs", "Fix login");
  const bob = await someone(journey);
  const { token } = await ada.client.organization.invite.mutate({
    organizationId: ada.organizationId,
    email: bob.email,
    role: "member",
  });
  await bob.client.organization.acceptInvitation.mutate({ token });
  await bob.page.goto(journey.api.url + ada.path);
  const lowerEdge = { targetPosition: { x: 100, y: 30 } };
  await dragCard(card(bob.page, "Todo", "Fix login"), card(bob.page, "Todo", "Write docs"), lowerEdge);
  const moved = ["Write docs", "Fix login", "Ship it"];
  await expect.poll(() => titlesIn(ada.page, "Todo")).toEqual(moved);
  await bob.page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(() => titlesIn(ada.page, "Todo")).toEqual(["Fix login", "Write docs", "Ship it"]);
  await dragCard(card(bob.page, "Todo", "Fix login"), column(bob.page, "In review"));
  await card(ada.page, "In review", "Fix login").waitFor();
  await card(ada.page, "In review", "Fix login").focus();
  await ada.page.keyboard.press("p");
  await ada.page.getByRole("menuitemradio", { name: "Urgent" }).click();
  await column(bob.page, "In review").getByText("Urgent").waitFor();
});

it("puts back a card that the API refuses to move, and shows the reason", async () => {
  const { page, context, client, organizationId, status } = await boardWith("Fix login");
  journey.expectMessage(page, /400|ERR_FAILED/);
  // Keeps the page from learning that the status was deleted. A test cannot intercept a SharedWorker's requests.
  await context.addInitScript("delete globalThis.SharedWorker");
  await context.route(/organization\.watch/, (route) => route.abort());
  await page.reload();
  await card(page, "Todo", "Fix login").waitFor();
  await client.task.deleteStatus.mutate({ organizationId, key: "in_progress" });
  await dragCard(card(page, "Todo", "Fix login"), column(page, "In progress"));
  await page.getByText("Could not move “Fix login”").waitFor();
  await card(page, "Todo", "Fix login").waitFor();
  expect(await status("Fix login")).toBe("todo");
});

it("keeps its filter in the URL, even over a visit to a task's page", async () => {
  const { page, client, organizationId, tasks } = await boardWith("Fix login", "Write docs");
  const [first] = tasks;
  if (!first) throw new Error("no task was made");
  await client.task.update.mutate({ organizationId, id: first.id, priority: "high", labels: ["api"] });
  await page.getByLabel("Priority").selectOption("High");
  await card(page, "Todo", "Write docs").waitFor({ state: "detached" });
  await page.getByLabel("Search").fill("LOG");
  await expect.poll(() => new URL(page.url()).search).toBe("?priority=high&q=LOG");
  await card(page, "Todo", "Fix login").click();
  await page.getByRole("heading", { name: "Fix login" }).waitFor();
  await page.getByRole("link", { name: "Tasks", exact: true }).last().click();
  await page.getByRole("link", { name: "List" }).click();
  await page.getByRole("table").getByRole("link", { name: "Fix login" }).waitFor();
  expect(new URL(page.url()).search).toBe("?priority=high&q=LOG&view=list");
  const views = page.getByRole("navigation", { name: "View" }).getByRole("link");
  expect(await views.evaluateAll((links) => links.map((link) => link.ariaCurrent))).toEqual([null, "page"]);
  await page.getByLabel("Search").fill("nothing of the kind");
  await page.getByRole("button", { name: "Clear the filter" }).click();
  await page.getByRole("table").getByRole("link", { name: "Write docs" }).waitFor();
});

it("imports an issue, and moves its card when its pull request is merged", async () => {
  const person = await boardWith();
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
  const { page, path, client, organizationId, tasks } = await boardWith("Fix login");
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
  await page.getByLabel("Labels").fill("api, にほん");
  for (const key of ["Escape", "Enter"]) await pressComposing(page.getByLabel("Labels"), key);
  expect(await page.getByLabel("Labels").inputValue()).toBe("api, にほん");
  expect((await client.task.get.query({ organizationId, id })).labels).toEqual([]);
  await page.getByLabel("Labels").fill("api, bug");
  await page.getByLabel("Pull request").fill("https://example.com/pull/1");
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: "Open the pull request" }).waitFor();
  await expect
    .poll(() => client.task.get.query({ organizationId, id }))
    .toMatchObject({ title: "Fix the login", labels: ["api", "bug"], prUrl: "https://example.com/pull/1" });
});

it("runs no shortcut for letters that were meant for a dialog or a field", async () => {
  const { page, path, tasks } = await boardWith("Fix login");
  await card(page, "Todo", "Fix login").waitFor();
  // The dialog for a new task is still loading.
  let load: () => void = () => undefined;
  const isAsked = new Promise<void>((resolve) => {
    void page.route(
      "**/assets/newTask-*.js",
      async (route) => {
        resolve();
        await new Promise<void>((done) => {
          load = done;
        });
        await route.continue();
      },
      { times: 1 },
    );
  });
  await page.keyboard.press("n");
  await isAsked;
  await page.keyboard.type("o?gs");
  load();
  const form = page.getByRole("dialog", { name: "New task" });
  await form.getByLabel("Title").waitFor();
  await expect.poll(() => page.evaluate("document.activeElement?.getAttribute('name')")).toBe("title");
  expect(await page.getByRole("menu").count()).toBe(0);
  // Enter closes the form. The rest of the text is ignored.
  await page.keyboard.type("Write docs");
  await page.keyboard.press("Enter");
  await form.waitFor({ state: "detached" });
  await page.keyboard.type("?no");
  await card(page, "Backlog", "Write docs").waitFor();
  expect(await page.getByRole("dialog").count()).toBe(0);

  // The page with the edited field navigates away by itself.
  await card(page, "Todo", "Fix login").click();
  await page.waitForURL(`**/${tasks[0]?.slug}`);
  await page.getByRole("button", { name: "Edit the title" }).click();
  await page.getByLabel("Title").pressSequentially("Fix");
  await page.evaluate("history.back()");
  await page.getByLabel("Title").waitFor({ state: "detached" });
  await page.keyboard.type("no?gs");
  // Escape ends it.
  await page.keyboard.press("Escape");
  await card(page, "Todo", "Fix login").waitFor();
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keys" }).waitFor();
  expect(await form.count()).toBe(0);
  expect(new URL(page.url()).pathname).toBe(path);
});

it("opens a board of a thousand tasks and drags over it without long frames", async () => {
  const { page, client, organizationId } = await someone(journey);
  await client.task.create.mutate({ organizationId, title: "Fix login" });
  await multiplyTask(journey, organizationId);
  await page.getByRole("link", { name: "Tasks", exact: true }).waitFor();
  report(
    { name: "A board of 1 000 tasks opens", value: await timeToCards(page, 100), aim: 300 },
    { name: "  longest frame while a card is dragged", value: await dragOverBoard(page), aim: 50 },
  );
  // The other tests check the board's accessibility.
  await page.close();
});

it("restores a deleted task by its toast, and later by its URL", async () => {
  const { page, path, tasks, status } = await boardWith("Fix login", "Write docs");
  await card(page, "Todo", "Fix login").hover();
  await page.getByRole("button", { name: "Actions of Fix login" }).click();
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
