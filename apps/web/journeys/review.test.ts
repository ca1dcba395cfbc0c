import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { createClient } from "@grove/client";
import type { Locator, Page } from "@grove/testing/browser";
import { expect, it } from "vitest";
import { startClaude } from "./testing/claude";
import { holdFirst } from "./testing/intercept";
import { useJourney } from "./testing/journey";
import { untilShown } from "./testing/terminal";

const journey = useJourney();

const LOGIN = ["first();", "if (user) {", "  logIn(user);", "}", "last();"];

/** An agent that is done with its turn in a workspace with a changed file, on the page of the changes. */
async function startReview() {
  const claude = await startClaude(journey, { hook: ["Stop"] }, { prompt: true }, { prompt: true });
  const { page, client, organizationId, id } = claude;
  const session = () => client.agent.getSession.query({ organizationId, id });
  await expect.poll(async () => (await session()).activity?.state).toBe("done");
  const [workspace] = await client.workspace.list.query({ organizationId });
  const path = String(workspace?.config.path);
  const workspaceId = workspace?.id ?? "";
  const write = (lines: string[]) => writeFile(join(path, "login.ts"), `${lines.join("\n")}\n`);
  await write(LOGIN);
  await page.getByRole("navigation", { name: "Main" }).waitFor();
  const address = page.url().replace(/(\/o\/[^/]+).*/, `$1/workspaces/${workspaceId}`);
  await page.goto(`${address}?only=changes`);
  /** The comments on the workspace's change, oldest first. */
  const comments = async () => {
    const [change] = await client.workspace.change.list.query({ organizationId, workspaceId });
    const changeId = change?.id ?? "";
    return (await client.workspace.review.list.query({ organizationId, changeId })).comments;
  };
  return { ...claude, session, write, address, path, workspaceId, comments };
}

const review = (page: Page) => page.getByRole("region", { name: "Review" });
const composer = (page: Page) => review(page).getByRole("textbox");
/** Begins a comment on the selected lines, or with another key. Its code is loaded the first time. */
const beginComment = async (page: Page, key = "c") => {
  await page.keyboard.press(key);
  await untilComposing(page);
};
const untilComposing = (page: Page) =>
  expect.poll(() => page.evaluate("document.activeElement?.tagName")).toBe("TEXTAREA");
const comment = (page: Page, text: string) => review(page).getByRole("listitem").filter({ hasText: text });
const selected = (page: Page) => page.getByRole("region", { name: "Selected lines" });

/** Selects a line by the pointer. */
async function selectLine(page: Page, line: number) {
  const number = page
    .getByRole("region", { name: "Changes" })
    .locator("[data-column-number]")
    .filter({ hasText: new RegExp(`^\\s*${line}\\s*$`) });
  await expect
    .poll(async () => {
      if (await selected(page).getByText(`login.ts:${line}`, { exact: true }).isVisible()) return "selected";
      // The comments may arrive above the changes and move them.
      await number.first().click();
      return "clicked";
    })
    .toBe("selected");
}

/** Holds the request for the version of commented lines until the returned function is called. */
async function holdAnchor(page: Page): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const isAnchor = (body: string | null) => body?.includes('"snapshot":true') === true;
  await page.route(/agent\.execute/, async (route) => {
    if (isAnchor(route.request().postData())) await released;
    await route.continue();
  });
  return () => release();
}

it("keeps comments on lines as drafts, and sends them once to the agent", async () => {
  const { page, address, write, session, output, comments, workspaceId } = await startReview();
  await selectLine(page, 2);
  await beginComment(page);
  await page.keyboard.type("Check for a locked account.");
  await review(page).getByText("Draft saved").waitFor();
  await page.keyboard.press("Escape");
  await comment(page, "Check for a locked account.").getByText("login.ts:2").waitFor();
  await page.reload();
  await comment(page, "Check for a locked account.").getByText("Draft", { exact: true }).waitFor();

  // Closed before the machine has answered which version the lines are from.
  await selectLine(page, 5);
  const answer = await holdAnchor(page);
  await beginComment(page);
  await page.keyboard.type("Log out again.");
  await page.keyboard.press("Escape");
  await composer(page).waitFor({ state: "detached" });
  expect(await comment(page, "Log out again.").count()).toBe(0);
  answer();
  await comment(page, "Log out again.").getByText("login.ts:5").waitFor();

  // A line is added above both.
  await write(["zeroth();", ...LOGIN]);
  await page.evaluate(() => dispatchEvent(new Event("visibilitychange")));
  await page.getByRole("button", { name: "Show latest changes" }).click();
  await comment(page, "Check for a locked account.").getByText("login.ts:3").waitFor();
  await comment(page, "Log out again.").getByText("login.ts:6").waitFor();

  await page.getByRole("button", { name: "Ask for changes (2)" }).click();
  await page.getByText("Sent 2 comments to the agent.").waitFor();
  await comment(page, "Log out again.").getByText("Sent", { exact: true }).waitFor();
  await comment(page, "Check for a locked account.").getByText("Sent", { exact: true }).waitFor();
  await page.getByRole("button", { name: /^Ask for changes/ }).waitFor({ state: "detached" });
  await expect.poll(async () => (await session()).activity?.state).toBe("working");
  const printed = stripVTControlCharacters(await output()).replaceAll("\r", "");
  const [one, two] = await comments();
  const prompt = `round 1, by Ada Lovelace. 2 comments.
Fix each one or say why not. Then answer each id in brackets with Grove's tool answer_comment, and call finish_task with workspaceId ${workspaceId}.
If you do not have these tools, run \`grove-device agent answer <id> fixed --commit <sha>\` (or declined or question, with --body <text>), then \`grove-device agent finish --summary <text>\`.

[${one?.id}] login.ts:3
| if (user) {
Check for a locked account.

[${two?.id}] login.ts:6
| last();
Log out again.
(pastes: 1)
`;
  expect(printed.split(prompt)).toHaveLength(2);
  expect(printed.split("Review of")).toHaveLength(2);

  await comment(page, "Log out again.").getByRole("button", { name: "Resolve" }).click();
  await comment(page, "Log out again.").getByText("Resolved", { exact: true }).waitFor();

  // The terminal shows the prompt.
  const terminal = await journey.open(page.context(), `${address}?only=terminals`);
  await untilShown(terminal, "login.ts:6| last();Log out again.(pastes: 1)");
});

it("comments on a file by its key and on the whole change by a button, and sends both once", async () => {
  const { page, output, session, comments, workspaceId } = await startReview();
  const changes = page.getByRole("region", { name: "Changes" });
  await changes.getByText("logIn", { exact: true }).waitFor();
  await page.keyboard.press("?");
  await page.getByRole("dialog").getByText("Comment on the file").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });

  await beginComment(page, "C");
  await review(page).getByRole("textbox", { name: "Comment on login.ts", exact: true }).waitFor();
  await page.keyboard.type("Split this file.");
  await review(page).getByText("Draft saved").waitFor();
  await page.keyboard.press("Escape");
  const onFile = comment(page, "Split this file.");
  await onFile.getByRole("link", { name: "login.ts", exact: true }).waitFor();

  await page.getByRole("button", { name: "Comment on the change" }).click();
  await untilComposing(page);
  await review(page).getByRole("textbox", { name: "Comment on the whole change" }).waitFor();
  await page.keyboard.type("Add a test.");
  // Closing saves it.
  await page.keyboard.press("Escape");
  const onChange = comment(page, "Add a test.");
  await onChange.getByText("On the whole change").waitFor();

  await page.reload();
  await onFile.getByText("Draft", { exact: true }).waitFor();
  await onChange.getByText("Draft", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Ask for changes (2)" }).click();
  await page.getByText("Sent 2 comments to the agent.").waitFor();
  await onFile.getByText("Sent", { exact: true }).waitFor();
  await onChange.getByText("Sent", { exact: true }).waitFor();
  await expect.poll(async () => (await session()).activity?.state).toBe("working");
  const printed = stripVTControlCharacters(await output()).replaceAll("\r", "");
  const [one, two] = await comments();
  const prompt = `round 1, by Ada Lovelace. 2 comments.
Fix each one or say why not. Then answer each id in brackets with Grove's tool answer_comment, and call finish_task with workspaceId ${workspaceId}.
If you do not have these tools, run \`grove-device agent answer <id> fixed --commit <sha>\` (or declined or question, with --body <text>), then \`grove-device agent finish --summary <text>\`.

[${one?.id}] login.ts
Split this file.

[${two?.id}] the whole change
Add a test.
(pastes: 1)
`;
  expect(printed.split(prompt)).toHaveLength(2);
  expect(printed.split("Review of")).toHaveLength(2);
});

it.each([
  ["the editor's code", "**/assets/reviewPanel-*.js"],
  ["the change", /workspace\.change\.list/],
])("puts the letters into a comment that were typed while %s was loading", async (_, request) => {
  const { page, comments, address } = await startReview();
  // A request of the page that is open would be held instead.
  await page.goto("about:blank");
  const release = await holdFirst(page, request);
  await page.goto(`${address}?only=changes`);
  await selectLine(page, 2);
  await page.keyboard.press("c");
  // Letters that are shortcuts: `c` begins a comment, `u` changes the layout immediately.
  await page.keyboard.type("cucumbez");
  await page.keyboard.press("Backspace");
  await page.keyboard.type("r Soup");
  expect(await composer(page).count()).toBe(0);
  release();
  await untilComposing(page);
  await expect.poll(() => composer(page).inputValue()).toBe("cucumber Soup");
  expect(await page.getByRole("checkbox", { name: "Side by side" }).isChecked()).toBe(false);
  // Typed text, which is saved.
  await page.keyboard.type("s");
  await review(page).getByText("Draft saved").waitFor();
  await expect.poll(async () => (await comments()).map(({ body }) => body)).toEqual(["cucumber Soups"]);
});

it("shows what the agent claims and that it has finished, and a person settles both comments by keyboard", async () => {
  const { page, git, path, apiKey, organizationId, comments, workspaceId, session } = await startReview();
  // Placeholder rows have numbers, too, and cannot be selected.
  await page.getByRole("region", { name: "Changes" }).getByText("logIn", { exact: true }).waitFor();
  for (const text of ["Check for a locked account.", "Log out again."]) {
    await page.keyboard.press("Shift+ArrowDown");
    await beginComment(page);
    await page.keyboard.type(text);
    await review(page).getByText("Draft saved").waitFor();
    await page.keyboard.press("Escape");
    await comment(page, text).getByText("Draft", { exact: true }).waitFor();
  }
  // Clears the selection.
  await page.keyboard.press("Escape");
  const press = async (button: Locator) => {
    await button.focus();
    await page.keyboard.press("Enter");
  };
  await press(page.getByRole("button", { name: "Ask for changes (2)" }));
  await comment(page, "Log out again.").getByText("Sent", { exact: true }).waitFor();
  await expect.poll(async () => (await session()).activity?.state).toBe("working");

  // The agent commits, answers and finishes, with a key of the person who has started it.
  await git("-C", path, "add", "login.ts");
  await git("-C", path, "commit", "--quiet", "--message", "Refuse locked accounts");
  const commit = await git("-C", path, "rev-parse", "HEAD");
  const agent = createClient({ apiUrl: journey.api.url, token: apiKey }).workspace;
  const [check, logOut] = await comments();
  const fixed = {
    state: "fixed",
    commit: commit.slice(0, 10),
    body: "Locked accounts are refused.",
  } as const;
  await agent.review.answer.mutate({ organizationId, id: check?.id ?? "", ...fixed });
  const declined = { state: "declined", body: "last() does it." } as const;
  await agent.review.answer.mutate({ organizationId, id: logOut?.id ?? "", ...declined });
  const report = { summary: "Refused locked accounts.", tests: ["npm test: 3 passed"] };
  await agent.change.finish.mutate({ organizationId, workspaceId, ...report });

  const finished = page.getByRole("region", { name: "Finished work" });
  await finished.getByText("Finished: Refused locked accounts.").waitFor();
  await finished.getByText("npm test: 3 passed").waitFor();
  const [first, second] = [comment(page, "Check for a locked account."), comment(page, "Log out again.")];
  await first.getByText(`Fixed in ${commit.slice(0, 8)}: Locked accounts are refused.`).waitFor();
  await first.getByText("Answered", { exact: true }).waitFor();
  await second.getByText("Declined: last() does it.").waitFor();

  await press(first.getByRole("button", { name: "Resolve" }));
  await first.getByText("Resolved", { exact: true }).waitFor();
  await first.getByText(`Fixed in ${commit.slice(0, 8)}`).waitFor();
  // The person does not accept the second answer.
  await press(second.getByRole("button", { name: "Reopen" }));
  await second.getByText("Declined: last() does it.").waitFor({ state: "detached" });
  await second.getByText("Sent", { exact: true }).waitFor();
  await press(second.getByRole("button", { name: "Resolve" }));
  await second.getByText("Resolved", { exact: true }).waitFor();
});

it("is usable on a phone, and says why an agent that works gets nothing", async () => {
  const { page, output } = await startReview();
  await page.setViewportSize({ width: 390, height: 760 });
  await selectLine(page, 1);
  await selected(page).getByRole("button", { name: "Comment" }).click();
  await composer(page).fill("Name it better.");
  // The parts above the changes do not squeeze them: the whole side scrolls.
  const heights = [page.getByRole("region", { name: "Changes" }), review(page)].map(async (part) => {
    const box = await part.boundingBox();
    return box?.height ?? 0;
  });
  expect(Math.min(...(await Promise.all(heights)))).toBeGreaterThan(150);
  // The button takes the focus from the editor, which stays open until its comment was sent.
  await page.getByRole("button", { name: "Ask for changes (1)" }).click();
  await comment(page, "Name it better.").getByText("Sent", { exact: true }).waitFor();
  await composer(page).waitFor({ state: "detached" });
  const before = await output();

  await selected(page).getByRole("button", { name: "Comment" }).click();
  await composer(page).fill("And shorter.");
  await page.getByRole("button", { name: "Ask for changes (1)" }).click();
  await page.getByText("The agent is working. Send again when its turn has ended.").waitFor();
  await comment(page, "And shorter.").getByText("Not sent", { exact: true }).waitFor();
  expect(await output()).toBe(before);
  await page.getByRole("button", { name: "Send again (1)" }).waitFor();
});

it("shows what is new since the user looked, what this turn changed, and what is uncommitted", async () => {
  const { page, write, path, address, git, session, workspaceId } = await startReview();
  const changes = page.getByRole("region", { name: "Changes" });
  const files = page.getByRole("navigation", { name: "Changed files" });
  const shown = page.getByRole("combobox", { name: "Show" });
  const read = (name: string) => files.getByText(name, { exact: true }).waitFor();
  const showTab = () => page.evaluate(() => dispatchEvent(new Event("visibilitychange")));
  const next = async (scope: string) => {
    await page.keyboard.press("s");
    await expect.poll(() => shown.inputValue()).toBe(scope);
  };
  await changes.getByText("logIn", { exact: true }).waitFor();
  await next("seen");
  await page.getByText("You have not marked anything as seen yet, so all changes are shown.").waitFor();
  await changes.getByText("logIn", { exact: true }).waitFor();

  const mark = page.getByRole("button", { name: "Mark as seen" });
  await mark.focus();
  await page.keyboard.press("Enter");
  await page.getByText("Nothing has changed since you last looked.").waitFor();
  await writeFile(join(path, "notes.md"), "# Notes\n");
  await showTab();
  await read("notes.md");
  expect(await files.getByText("login.ts").count()).toBe(0);
  // The choice is in the address.
  await page.reload();
  await read("notes.md");
  expect(await files.getByText("login.ts").count()).toBe(0);

  await changes.getByText("# Notes").waitFor();
  await beginComment(page, "C");
  await page.keyboard.type("Say more.");
  await review(page).getByText("Draft saved").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Ask for changes (1)" }).click();
  await comment(page, "Say more.").getByText("Sent", { exact: true }).waitFor();
  await page.getByText("Nothing has changed since you last looked.").waitFor();

  await expect.poll(async () => (await session()).activity?.state).toBe("working");
  await next("turn");
  await page.getByRole("button", { name: "Refresh the changes" }).click();
  await page.getByText("This turn has changed no files.").waitFor();
  await write(["zeroth();", ...LOGIN]);
  await showTab();
  await read("login.ts");
  expect(await files.getByText("notes.md").count()).toBe(0);
  await next("head");
  await read("notes.md");
  await read("login.ts");
  await next("base");
  await page.keyboard.press("?");
  await page.getByRole("dialog").getByText("Choose which changes are shown").waitFor();
  await page.keyboard.press("Escape");

  for (const ref of (
    await git("-C", path, "for-each-ref", "--format=%(refname)", `refs/grove/${workspaceId}`)
  ).split("\n"))
    if (ref.includes("/turn") || ref.includes("/seen")) await git("-C", path, "update-ref", "-d", ref);
  await page.goto(`${address}?only=changes&against=seen`);
  await page.getByText("The version that you marked as seen is no longer on the machine").waitFor();
  await read("notes.md");
  await read("login.ts");
});
