import { expect, it } from "vitest";
import { dragCard } from "./testing/drag";
import { useJourney } from "./testing/journey";
import { someone } from "./testing/people";

const journey = useJourney();

it("creates the first task, and moves its card by pointer", async () => {
  const { page, client, organizationId } = await someone(journey);
  const column = (name: string) => page.getByRole("region", { name });
  const card = (name: string) => column(name).getByRole("link", { name: "Fix login", exact: true });
  const task = async () => (await client.task.list.query({ organizationId }))[0];
  await page.getByRole("link", { name: "Tasks", exact: true }).click();
  await page.getByRole("button", { name: "Create a task" }).click();
  const dialog = page.getByRole("dialog", { name: "New task" });
  await dialog.getByLabel("Title").fill("Fix login");
  await dialog.getByLabel("Priority").selectOption("High");
  await dialog.getByRole("button", { name: "Create task" }).click();
  await card("Backlog").waitFor();
  expect(await task()).toMatchObject({ priority: "high" });
  await dragCard(card("Backlog"), column("In progress"));
  await card("In progress").waitFor();
  await expect.poll(task).toMatchObject({ status: "in_progress" });
});
