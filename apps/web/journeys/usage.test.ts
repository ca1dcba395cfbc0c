import { DAY_MS } from "@grove/schemas";
import { expect, it } from "vitest";
import { useJourney } from "./testing/journey";
import { someone } from "./testing/people";

const journey = useJourney();

it("plots events, lists the frequent ones, and computes a funnel and the retention", async () => {
  const { page, client, organizationId } = await someone(journey);
  const yesterday = new Date(Date.now() - DAY_MS).toISOString();
  await client.analytics.trackBatch.mutate({
    events: ["deploy.start", "deploy.start", "deploy.done"].map((event) => ({
      organizationId,
      event,
      timestamp: yesterday,
    })),
  });
  await client.analytics.track.mutate({ organizationId, event: "deploy.start" });
  await page.getByRole("button", { name: "Organization: Ada Lovelace" }).click();
  await page.getByRole("menuitem", { name: "Organization settings" }).click();
  await page.getByRole("link", { name: "Usage" }).click();

  const plot = page.getByRole("figure", { name: "Events and users by day" });
  await plot.locator("svg path.recharts-rectangle").first().waitFor();
  await page.getByText("Show as a table").click();
  const counts = page
    .getByRole("table", { name: "Events by day" })
    .getByRole("cell", { name: "3", exact: true });
  await counts.waitFor();
  const frequent = page.getByRole("table", { name: "Most frequent events" });
  expect(await frequent.getByRole("row").nth(1).textContent()).toContain("deploy.start");

  await page.getByLabel("Step 1").fill("deploy.s");
  await page.getByRole("option", { name: "deploy.start" }).click();
  await page.getByLabel("Step 2").fill("deploy.done");
  await page.keyboard.press("Escape");
  await page.getByRole("table", { name: "Funnel" }).getByText("deploy.done").waitFor();
  await page.getByLabel("Event", { exact: true }).fill("deploy.start");
  await page.keyboard.press("Escape");
  const cohort = page.getByRole("table", { name: "Retention" }).getByRole("row").nth(1);
  await cohort.getByText("100 %").first().waitFor();

  await page.getByLabel("Time").selectOption("Last 12 months");
  await page.getByRole("figure", { name: "Events and users by month" }).waitFor();
});
