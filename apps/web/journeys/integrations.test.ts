import { gitHubToken } from "@grove/integrations/testing";
import { expect, it } from "vitest";
import { useJourney } from "./testing/journey";
import { signedIn, someone } from "./testing/people";
import { useProviders } from "./testing/providers";

const providers = await useProviders();
const journey = useJourney(providers.env);

it("connects a code host, creates a webhook, shows its deliveries, and disconnects; the audit log has it all", async () => {
  const { page, client, organizationId } = await someone(journey);
  await client.apiKey.create.mutate({ organizationId, name: "script" });
  await page.getByRole("button", { name: "Organization: Ada Lovelace" }).click();
  await page.getByRole("menuitem", { name: "Organization settings" }).click();
  await page.getByRole("link", { name: "Integrations" }).click();
  await page.getByRole("button", { name: "Connect an account" }).click();
  const dialog = page.getByRole("dialog", { name: "Connect an account" });

  // Without an OAuth app the operator's note is shown; a refused token keeps the form.
  journey.expectMessage(page, /412|400/);
  await dialog.getByRole("button", { name: "Continue on GitHub" }).click();
  await dialog.getByText("GitHub can be connected only by a token.").waitFor();
  await dialog.getByLabel("Token").fill("ghp_wrong");
  await dialog.getByLabel("Address").fill(providers.gitHubUrl);
  await dialog.getByRole("button", { name: "Connect", exact: true }).click();
  await dialog.getByText("Could not connect the account.").waitFor();
  await dialog.getByLabel("Token").fill(gitHubToken);
  await dialog.getByRole("button", { name: "Connect", exact: true }).click();
  const account = page
    .getByRole("table", { name: "Accounts" })
    .getByRole("row")
    .filter({ hasText: "GitHub" });
  await account.getByText("Connected").first().waitFor();
  await account.getByText("Scopes: repo, admin:repo_hook, read:user").waitFor();
  expect(await page.content()).not.toContain(gitHubToken);

  await page.getByRole("button", { name: "New webhook" }).click();
  const newWebhook = page.getByRole("dialog", { name: "New webhook" });
  await newWebhook.getByLabel("Repository").fill("hello");
  await page.getByRole("option", { name: "octocat/Hello-World-0" }).click();
  await newWebhook.getByRole("button", { name: "Create webhook" }).click();
  await page.getByRole("table", { name: "Webhooks" }).getByText("octocat/Hello-World-0").waitFor();

  const [webhook] = await client.integration.codehost.listWebhooks.query({ organizationId });
  await providers.deliverMergedPull(journey.api.url, webhook?.id ?? "", "Names no task.", "Hello-World-0");
  const delivery = page.getByRole("table", { name: "Deliveries" }).getByRole("row").nth(1);
  await delivery.getByText("pull_request.closed").waitFor();
  await delivery.getByText("Processed").waitFor();
  await page.getByRole("table", { name: "Webhooks" }).getByText("Processed").waitFor();

  await page.getByRole("button", { name: "Delete the webhook of octocat/Hello-World-0" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByText("Without a webhook, Grove does not learn").waitFor();
  await account.getByRole("button", { name: "Disconnect" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Disconnect" }).click();
  await page.getByRole("heading", { name: "No account connected" }).waitFor();

  await page.getByRole("link", { name: "Audit log" }).click();
  const log = page.getByRole("table", { name: "Audit log" });
  await log.getByRole("row").filter({ hasText: "Account disconnected" }).getByText("Ada Lovelace").waitFor();
  await page.getByLabel("Action").selectOption("Webhook created");
  await log.getByRole("row").filter({ hasText: "Account disconnected" }).waitFor({ state: "detached" });
  await log.getByText("repo: octocat/Hello-World-0").waitFor();
  expect(new URL(page.url()).searchParams.get("action")).toBe("integration.codehost.createWebhook");
  // By who made the changes: a key made none.
  await page.getByLabel("Action").selectOption("All actions");
  const actor = page.getByRole("combobox", { name: "By" });
  await actor.fill("script");
  await page.getByRole("option", { name: "API key script" }).click();
  await page.getByRole("heading", { name: "No such change" }).waitFor();
  await actor.fill("ada");
  await actor.press("Enter");
  await log.getByRole("row").filter({ hasText: "Account disconnected" }).waitFor();
});

it("shows a member the accounts without their buttons, and no audit log", async () => {
  const { client, organizationId } = await someone(journey);
  const bob = await journey.api.signUp("Bob");
  const { token } = await client.organization.invite.mutate({
    organizationId,
    email: bob.email,
    role: "member",
  });
  await bob.client.organization.acceptInvitation.mutate({ token });
  const { slug } = await client.organization.get.query({ organizationId });
  const page = await journey.open(await signedIn(journey, bob), `/o/${slug}/settings?tab=integrations`);
  const connect = page.getByRole("button", { name: "Connect an account" });
  await connect.waitFor();
  expect(await connect.getAttribute("aria-disabled")).toBe("true");
  await page.getByRole("link", { name: "Audit log" }).click();
  await page.getByText("Only admins and owners can do this.").waitFor();
});
