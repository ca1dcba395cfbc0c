import type { Page, Route } from "@grove/testing/browser";
import { expect, it } from "vitest";
import { interceptFirst } from "./testing/intercept";
import { useJourney } from "./testing/journey";
import { someone } from "./testing/people";

const journey = useJourney();

/** Two members of an organization on the page of the same task. Ada is its owner. */
async function taskOfTwo(description: string) {
  const ada = await someone(journey);
  const bob = await someone(journey);
  const { client, organizationId } = ada;
  const invitation = { organizationId, email: bob.email, role: "member" } as const;
  const { token } = await client.organization.invite.mutate(invitation);
  await bob.client.organization.acceptInvitation.mutate({ token });
  const [organization] = await client.organization.list.query();
  const task = await client.task.create.mutate({ organizationId, title: "Fix login", description });
  const url = `${journey.api.url}/o/${organization?.slug}/tasks/${task.slug}`;
  for (const { page } of [ada, bob]) {
    await page.goto(url);
    await page.getByLabel("Comment", { exact: true }).waitFor();
  }
  return { ada, bob, task, url };
}

const comments = (page: Page) => page.getByRole("article", { name: /^Comment by / });

it("shows comments and changes to all members as they are made", async () => {
  const { ada, bob, task } = await taskOfTwo("");
  const field = ada.page.getByLabel("Comment", { exact: true });
  await field.fill("**Please** <b>test</b> [it](javascript:alert(1))\n\n- [ ] first\n- [ ] second");
  await field.press("Control+Enter");
  const shown = comments(bob.page).first();
  await shown.getByRole("strong").filter({ hasText: "Please" }).waitFor();
  await shown.getByText("<b>test</b>").waitFor();
  expect(await shown.getByRole("link").count()).toBe(0);
  expect(await shown.getByRole("button").count()).toBe(0);
  expect(await shown.getByRole("checkbox", { name: "first" }).isDisabled()).toBe(true);
  await expect.poll(() => field.inputValue()).toBe("");

  await comments(ada.page).getByRole("checkbox", { name: "second" }).click();
  await expect.poll(() => shown.getByRole("checkbox", { name: "second" }).isChecked()).toBe(true);
  expect(await shown.getByRole("checkbox", { name: "first" }).isChecked()).toBe(false);

  await comments(ada.page).getByRole("button", { name: "Edit the comment" }).click();
  await comments(ada.page).getByLabel("Comment", { exact: true }).fill("Never mind");
  await comments(ada.page).getByRole("button", { name: "Save" }).click();
  await shown.getByText("Never mind").waitFor();
  await shown.getByText("edited").waitFor();
  await expect.poll(() => ada.page.evaluate("document.activeElement?.ariaLabel")).toBe("Edit the comment");

  await ada.page.getByLabel("Status").selectOption("Done");
  await bob.page.getByText(/changed the status from Backlog to Done/).waitFor();

  const { organizationId } = ada;
  await bob.client.task.addComment.mutate({ organizationId, id: task.id, body: "Mine" });
  const ofBob = comments(ada.page).filter({ hasText: "Mine" });
  await ofBob.waitFor();
  expect(await ofBob.getByRole("button", { name: "Edit the comment" }).count()).toBe(0);
  await ofBob.getByRole("button", { name: "Delete the comment" }).click();
  await ada.page.getByRole("button", { name: "Delete comment", exact: true }).click();
  await comments(bob.page).filter({ hasText: "Mine" }).waitFor({ state: "detached" });
});

it("keeps an unsent comment, and adds it once when it is sent again", async () => {
  const { ada, task } = await taskOfTwo("");
  const { page, context, client, organizationId } = ada;
  journey.expectMessage(page, /ERR_FAILED|ERR_CONNECTION/);
  const field = page.getByLabel("Comment", { exact: true });
  await field.fill("Once");
  // The comment is added, and its response is lost.
  await interceptFirst(context, /task\.addComment/, async (route) => {
    await route.fetch();
    await route.abort();
  });
  await page.getByRole("button", { name: "Add comment" }).click();
  await page.getByText("Could not add the comment.").waitFor();
  await page.getByRole("link", { name: "Tasks", exact: true }).last().click();
  await page.getByRole("link", { name: "Fix login", exact: true }).click();
  await expect.poll(() => field.inputValue()).toBe("Once");
  await page.getByRole("button", { name: "Add comment" }).click();
  await expect.poll(() => field.inputValue()).toBe("");
  expect(await client.task.listActivity.query({ organizationId, id: task.id })).toMatchObject([
    { body: "Once" },
  ]);
});

it("ticks the description's check list, unless someone else has changed the text", async () => {
  const { ada, task } = await taskOfTwo("Steps:\n\n1. [ ] build\n2. [x] test\n   - [ ] twice");
  const { page, context, client, organizationId } = ada;
  const description = async () => (await client.task.get.query({ organizationId, id: task.id })).description;
  // A response with the text before the first tick arrives last.
  let release: () => void = () => undefined;
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  const isRead = new Promise<void>((resolve) => {
    const hold = async (route: Route) => {
      const response = await route.fetch();
      resolve();
      await isReleased;
      // The page may no longer wait for it.
      await route.fulfill({ response }).catch(() => undefined);
    };
    void interceptFirst(page, /task\.get\b/, hold);
  });
  // Makes the page read the task again.
  await client.task.createStatus.mutate({ organizationId, name: "Shipped", type: "completed" });
  await isRead;
  const isChanged = page.waitForResponse(/task\.update\b/);
  await page.getByRole("checkbox", { name: "build" }).click();
  await isChanged;
  await page.getByRole("checkbox", { name: "test" }).click();
  await expect.poll(description).toBe("Steps:\n\n1. [x] build\n2. [ ] test\n   - [ ] twice");
  release();
  await page.getByRole("checkbox", { name: "twice" }).press("Space");
  await expect.poll(description).toBe("Steps:\n\n1. [x] build\n2. [ ] test\n   - [x] twice");

  // Keeps the page from learning of the other text. A test cannot intercept a SharedWorker's requests.
  await context.addInitScript("delete globalThis.SharedWorker");
  await context.route(/organization\.watch/, (route) => route.abort());
  journey.expectMessage(page, /ERR_FAILED/);
  await page.reload();
  await page.getByRole("checkbox", { name: "build" }).waitFor();
  await client.task.update.mutate({ organizationId, id: task.id, description: "- [ ] other" });
  await page.getByRole("checkbox", { name: "build" }).click();
  await page.getByText("Someone else changed the description").waitFor();
  await page.getByRole("checkbox", { name: "other" }).waitFor();
  expect(await description()).toBe("- [ ] other");
});

it("shows older activity on request", async () => {
  const { ada, task } = await taskOfTwo("");
  const { page, client, organizationId } = ada;
  for (let n = 1; n <= 32; n++)
    await client.task.addComment.mutate({ organizationId, id: task.id, body: `Comment ${n} of 32` });
  await page.getByText("Comment 32 of 32").waitFor();
  await page.reload();
  await page.getByText("Comment 32 of 32").waitFor();
  expect(await page.getByText("Comment 2 of 32").count()).toBe(0);
  await page.getByRole("button", { name: "Show older" }).click();
  await page.getByText("Comment 1 of 32", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Show older" }).waitFor({ state: "detached" });
  expect(await comments(page).first().textContent()).toContain("Comment 1 of 32");
});
