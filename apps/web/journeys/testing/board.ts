import type { Page } from "@grove/testing/browser";
import type { Journey } from "./journey";
import { someone } from "./people";

/** A user on a board with some tasks. */
export async function boardWith(journey: Journey, ...titles: string[]) {
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

export const column = (page: Page, name: string) => page.getByRole("region", { name });
/** The titles of a column's cards, in order. */
export const titlesIn = (page: Page, name: string) =>
  column(page, name).getByRole("listitem").getByRole("link").allTextContents();
export const card = (page: Page, name: string, title: string) =>
  column(page, name).getByRole("link", { name: title, exact: true });
