import { expect, it } from "vitest";
import { useJourney } from "./testing/journey";
import { signedIn, someone } from "./testing/people";

const journey = useJourney({ ADMIN_EMAIL_DOMAIN: "example.com" });

it("lets an admin of the instance see its numbers, and disable, enable and delete an account", async () => {
  const bob = await someone(journey);
  await bob.client.user.update.mutate({ name: "Bob" });
  await bob.page.getByRole("button", { name: /^Account: / }).click();
  await bob.page.getByRole("menuitem", { name: "Notifications" }).waitFor();
  expect(await bob.page.getByRole("menuitem", { name: "Administration" }).count()).toBe(0);

  // An admin has a verified address of the domain; Bob's is not verified.
  const root = await journey.api.signUp("Root");
  await journey.api.write("update users set email_verified_at = now() where id = $1", [root.userId]);
  const page = await journey.open(await signedIn(journey, root), "/");
  await page.getByRole("button", { name: "Account: Root" }).click();
  await page.getByRole("menuitem", { name: "Administration" }).click();
  await page.getByText("Devices online").waitFor();
  await page.goBack();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Search or run a command" }).fill("administration");
  await page.getByRole("option", { name: "Administration" }).click();
  await page.getByText("Devices online").waitFor();

  await page.getByLabel("Search names and addresses").fill(bob.email);
  const row = page.getByRole("table", { name: "Accounts" }).getByRole("row").filter({ hasText: bob.email });
  await page.getByRole("button", { name: "Manage Root" }).waitFor({ state: "detached" });
  await row.getByRole("button", { name: "Manage Bob" }).click();
  const dialog = page.getByRole("dialog", { name: "Bob" });
  await dialog.getByText("Ada Lovelace (owner)").waitFor();
  journey.expectMessage(bob.page, /401/);
  await dialog.getByRole("button", { name: "Disable" }).click();
  await dialog.getByText("Disabled: the account cannot sign in").waitFor();
  await bob.page.getByRole("heading", { name: "Sign in to Grove" }).waitFor();
  await dialog.getByRole("button", { name: "Enable" }).click();
  await dialog.getByText("Enabled", { exact: true }).waitFor();

  await dialog.getByRole("button", { name: "Delete" }).click();
  const confirmation = page.getByRole("dialog", { name: "Delete this account?" });
  await confirmation.getByLabel(`Type ${bob.email} to confirm`).fill(bob.email);
  await confirmation.getByRole("button", { name: "Delete account" }).click();
  await page.getByText("No account matches this search.").waitFor();

  await page.getByRole("link", { name: "Organizations" }).click();
  await page.getByRole("table", { name: "Organizations" }).getByText("Root").first().waitFor();
});
