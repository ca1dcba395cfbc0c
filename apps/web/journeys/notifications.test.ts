import { expect, it } from "vitest";
import { useJourney } from "./testing/journey";
import { someone } from "./testing/people";

const journey = useJourney();

it("adds a rule for a webhook, sends a test and shows its outcome, changes the rule, and deletes it", async () => {
  const { page } = await someone(journey);
  await page.getByRole("button", { name: "Account: Ada Lovelace" }).click();
  await page.getByRole("menuitem", { name: "Notifications" }).click();
  await page.getByRole("heading", { name: "Notifications", level: 1 }).waitFor();
  await page.getByText("No rules yet, so you get no notifications.").waitFor();

  await page.getByRole("button", { name: "New rule" }).click();
  const dialog = page.getByRole("dialog", { name: "New rule" });
  await dialog.getByRole("radio", { name: "Webhook" }).check();
  await dialog.getByRole("textbox", { name: "Address" }).fill("https://hooks.grove.invalid/secret-path");
  await dialog.getByLabel("Secret").fill("0123456789abcdef");
  await dialog.getByRole("checkbox", { name: "An agent is done" }).check();
  await dialog.getByRole("button", { name: "Add rule" }).click();
  const rules = page.getByRole("table", { name: "Rules" });
  const row = rules.getByRole("row").filter({ hasText: "Webhook" });
  await row.getByText("hooks.grove.invalid").waitFor();
  expect(await page.content()).not.toContain("secret-path");

  await row.getByRole("button", { name: "Send a test" }).click();
  const deliveries = page.getByRole("table", { name: "Recent notifications" });
  await deliveries
    .getByRole("row")
    .filter({ hasText: "Test" })
    .getByText(/^(Failed|Unknown|Waiting)/)
    .waitFor();

  await row.getByRole("button", { name: "Change" }).click();
  const change = page.getByRole("dialog", { name: "Change rule" });
  await change.getByRole("radio", { name: "All agents" }).check();
  await change.getByLabel("Quiet from").fill("22:00");
  await change.getByLabel("Quiet until").fill("07:00");
  await change.getByRole("button", { name: "Save" }).click();
  await row.getByText("Other agents too").waitFor();

  await row.getByRole("button", { name: "Delete" }).click();
  await page.getByText("No rules yet, so you get no notifications.").waitFor();
});
