import type { Page, Route } from "@grove/testing/browser";
import { expect, it } from "vitest";
import { interceptFirst } from "./testing/intercept";
import { useJourney } from "./testing/journey";
import { signIn, someone } from "./testing/people";

const journey = useJourney();
const sidebarLink = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Main" }).getByRole("link", { name });
function deferred() {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
const heading = (page: Page, name: string) => page.getByRole("heading", { name, exact: true });

it("hands an organization over: link, roles, last owner, leaving, and a new one", async () => {
  const { page } = await someone(journey);
  const bob = await someone(journey);
  await bob.client.user.update.mutate({ name: "Bob" });
  const row = page.getByRole("row").filter({ hasText: "Bob" });
  const actionsFor = (name: string) => page.getByRole("button", { name: `Actions for ${name}` });
  const dialog = page.getByRole("dialog");

  await sidebarLink(page, "Members").click();
  await page.getByRole("button", { name: "Invite" }).click();
  await dialog.getByLabel("Email").fill(bob.email);
  await dialog.getByRole("button", { name: "Invite" }).press("Enter");
  const link = await dialog.getByText("#token=").textContent();
  await dialog.getByRole("button", { name: "Done" }).press("Enter");
  expect(await page.content()).not.toContain("#token=");
  // Bob's list of organizations, requested before he joins, arrives after that, or never.
  const { promise: hasJoined, resolve: onJoined } = deferred();
  await interceptFirst(bob.page, /organization\.list[?,]/, async (route) => {
    const response = await route.fetch();
    await hasJoined;
    await route.fulfill({ response }).catch(() => undefined);
  });
  await bob.page.goto(link ?? "");
  const accepted = bob.page.waitForResponse(/organization\.acceptInvitation/);
  await bob.page.getByRole("button", { name: "Join" }).click();
  await accepted;
  onJoined();
  await sidebarLink(bob.page, "Members").waitFor();

  await row.waitFor();
  await actionsFor("Ada Lovelace").press("Enter");
  const leave = page.getByRole("menuitem", { name: "Leave organization" });
  expect(await leave.textContent()).toContain("An organization needs an owner.");
  await page.keyboard.press("Escape");
  await actionsFor("Bob").press("Enter");
  await page.getByRole("menuitem", { name: "Change role" }).press("Enter");
  await dialog.getByRole("radio", { name: "Owner" }).check();
  await dialog.getByRole("button", { name: "Change role" }).press("Enter");
  await row.getByText("Owner").waitFor();
  await actionsFor("Ada Lovelace").press("Enter");
  await leave.press("Enter");
  // The role change causes refetches, which may still run when the user leaves.
  journey.expectMessage(page, /403 \(Forbidden\) \S+organization\.list(Invitations|Members)\?/);
  await dialog.getByRole("button", { name: "Leave" }).press("Enter");

  // Without an organization, the palette lists the user's own pages.
  await heading(page, "New organization").waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("option", { name: "Your account" }).click();
  await heading(page, "Your account").waitFor();
  await page.goBack();
  await page.getByLabel("Name").fill("Orchard");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Organization: Orchard" }).waitFor();
  expect(new URL(page.url()).pathname).toMatch(/^\/o\/orchard/);
});

it("switches and renames an organization by keyboard", async () => {
  const { page, client } = await someone(journey);
  await client.organization.create.mutate({ name: "Second" });
  const { keyboard } = page;
  const url = page.url();
  // Ends the requests of this page, which would be held as well.
  await page.goto("about:blank");
  // While the code of menus and shortcuts loads, the menu button keeps the focus and no key is lost.
  const held: Route[] = [];
  // The route stays: ending it could lose other requests that are in flight.
  await page.route(/assets\/(organizationMenu|organizationShortcuts)-/, (route) => void held.push(route));
  await page.goto(url);
  const button = page.getByRole("button", { name: "Organization: Ada Lovelace" });
  await button.focus();
  await expect.poll(() => held.length).toBe(2);
  for (const key of ["g", "d"]) await keyboard.press(key);
  await keyboard.press("Enter");
  for (const route of held) await route.continue();
  await heading(page, "Devices").waitFor();
  await page.getByRole("menuitem", { name: "Second" }).waitFor();
  await keyboard.press("s");
  await keyboard.press("Enter");
  await page.getByRole("button", { name: "Organization: Second" }).press("Enter");
  await page.getByRole("menuitem", { name: "Organization settings" }).press("Enter");
  await page.getByLabel("Name", { exact: true }).fill("Orchard");
  await page.getByLabel("Short name").fill("apple-trees");
  await keyboard.press("Enter");
  await page.getByRole("button", { name: "Organization: Orchard" }).waitFor();
  await expect.poll(() => new URL(page.url()).pathname).toBe("/o/apple-trees/settings");
  await page.getByRole("button", { name: "Delete" }).press("Enter");
  await page.getByLabel("Type apple-trees to confirm").fill("apple-trees");
  await keyboard.press("Enter");
  await page.getByRole("button", { name: "Organization: Ada Lovelace" }).waitFor();
});

it("creates a key that works, shows it once, and revokes it", async () => {
  const { page } = await someone(journey);
  await sidebarLink(page, "API keys").click();
  await page.getByRole("button", { name: "New key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("laptop");
  await dialog.getByRole("button", { name: "Create key" }).click();
  const key = (await dialog.getByText(/^grk_/).textContent()) ?? "";
  await dialog.getByLabel("Use it in").selectOption("Cursor");
  const block = await dialog.getByText("mcpServers").textContent();
  expect(JSON.parse(block ?? "").mcpServers.grove.env).toEqual({ API_URL: journey.api.url, API_KEY: key });
  await dialog.getByLabel("Use it in").selectOption("curl");
  const line = await dialog.getByText(/^curl -H/).textContent();
  // The machine may not have curl, so fetch sends the same header to the same URL.
  const [, Authorization = "", address = ""] =
    /^curl -H "Authorization: ([^"]+)" (\S+)$/.exec(line ?? "") ?? [];
  expect(Authorization).toBe(`Bearer ${key}`);
  const call = () => fetch(address, { headers: { Authorization } });
  expect((await call()).status).toBe(200);
  // Escape asks, until the key is copied.
  await page.keyboard.press("Escape");
  await dialog.getByText("Close without copying the key?").waitFor();
  await page.keyboard.press("Enter");
  await dialog.getByText("Close without copying the key?").waitFor({ state: "detached" });
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await dialog.getByRole("button", { name: "Copy the key" }).click();
  await dialog.getByText("Copied").waitFor({ state: "attached" });
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  expect(await page.content()).not.toContain(key);

  const row = page.getByRole("row").filter({ hasText: "laptop" });
  await row.getByText("You").waitFor();
  await row.getByText("in 90 days").waitFor();
  await row.getByRole("button", { name: "Revoke laptop" }).click();
  await dialog.getByRole("button", { name: "Revoke" }).click();
  await dialog.waitFor({ state: "detached" });
  await row.waitFor({ state: "detached" });
  expect((await call()).status).toBe(401);
});

it("manages an account: name, sessions, password, and deletion", async () => {
  const person = await someone(journey);
  const { page } = person;
  const elsewhere = await journey.open(await journey.visitor(), "/sign-in");
  await signIn(elsewhere, person);
  await sidebarLink(elsewhere, "Members").click();
  await heading(elsewhere, "Members").waitFor();

  await page.getByRole("button", { name: "Account: Ada Lovelace" }).click();
  await page.getByRole("menuitem", { name: "Your account" }).click();
  await page.getByLabel("Name").fill("Ada");
  await page.getByLabel("Name").press("Enter");
  await page.getByText("Saved").waitFor();
  await page.getByRole("radio", { name: "Dark" }).check();
  await page.getByRole("radio", { name: "System" }).check();
  journey.expectMessage(elsewhere, /401/);
  await page.getByRole("button", { name: "Sign out everywhere else" }).click();
  await heading(elsewhere, "Sign in to Grove").waitFor();
  expect(new URL(elsewhere.url()).searchParams.get("to")).toMatch(/members$/);

  journey.expectMessage(page, /403/);
  await page.getByLabel("Current password").fill("wrong");
  await page.getByLabel("New password").fill("another horse battery");
  await page.getByRole("button", { name: "Change password" }).click();
  await page.getByText("The password is wrong.").waitFor();
  await page.getByLabel("Current password").fill("correct horse battery");
  await page.getByRole("button", { name: "Change password" }).click();
  await page.getByText("Changed.").waitFor();

  await page.getByRole("button", { name: "Delete" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("deleted with all its data").waitFor();
  await dialog.getByLabel("Type Ada to confirm").fill("Ada");
  await dialog.getByLabel("Password").fill("another horse battery");
  await dialog.getByRole("button", { name: "Delete account" }).click();
  await heading(page, "Sign in to Grove").waitFor();
});
