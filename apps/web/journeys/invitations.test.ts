import type { Page } from "@grove/testing/browser";
import { expect, it } from "vitest";
import { useJourney } from "./testing/journey";
import { useMailbox } from "./testing/mailbox";
import { signIn, someone } from "./testing/people";

const mailbox = await useMailbox();
const journey = useJourney(mailbox.env);
const path = (page: Page) => new URL(page.url()).pathname;

/** A user with an organization, on its members page. */
async function host() {
  const person = await someone(journey);
  await person.page.getByRole("link", { name: "Members" }).click();
  await person.page.getByRole("button", { name: "Invite" }).waitFor();
  const members = path(person.page);
  const invite = async (email: string) => {
    await person.page.getByRole("button", { name: "Invite" }).click();
    const dialog = person.page.getByRole("dialog");
    await dialog.getByLabel("Email").fill(email);
    await dialog.getByRole("button", { name: "Invite" }).click();
    await dialog.getByText("We emailed the link.").waitFor();
    await dialog.getByRole("button", { name: "Done" }).click();
    return mailbox.link(email, "accept-invitation");
  };
  const row = (text: string) => person.page.getByRole("row").filter({ hasText: text });
  return { ...person, members, home: members.replace("/members", ""), invite, row };
}

it("lets a new user join the organization by the mail's link", async () => {
  const { invite, row, home, members, page } = await host();
  const email = `${crypto.randomUUID()}@example.com`;
  const link = await invite(email);
  await row(email).getByText("Member", { exact: true }).waitFor();

  const guest = await journey.open(await journey.visitor(), link);
  await guest.getByRole("heading", { name: "Join Ada Lovelace" }).waitFor();
  await guest.getByText("Works with devices").waitFor();
  expect(guest.url()).not.toContain("token");
  await guest.reload();
  await guest.getByRole("link", { name: "Create an account" }).click();
  await guest.getByLabel("Name").fill("Bob");
  expect(await guest.getByLabel("Email").inputValue()).toBe(email);
  await guest.getByLabel("Password").fill("correct horse battery");
  await guest.getByRole("button", { name: "Create account" }).click();
  await guest.getByRole("navigation", { name: "Main" }).waitFor();
  expect(path(guest)).toContain(home);

  await row("Bob").getByText(email).waitFor();
  await page.getByText("No pending invitations.").waitFor();
  await guest.goto(journey.api.url + members);
  const inviting = guest.getByRole("button", { name: "Invite" });
  expect(await inviting.getAttribute("title")).toContain("Only admins");
  await guest.getByRole("button", { name: "Actions for Ada Lovelace" }).click();
  const remove = guest.getByRole("menuitem", { name: "Remove" });
  expect(await remove.getAttribute("aria-disabled")).toBe("true");
  expect(await remove.textContent()).toContain("Only admins");
});

it("offers to switch accounts, and reports the state of a link", async () => {
  const { invite, row, page, home } = await host();
  const carol = await journey.api.signUp("Carol");
  const link = await invite(carol.email);
  const { page: other } = await someone(journey, link);
  await other.getByText("Only the invited address can accept the invitation.").waitFor();
  await other.getByRole("button", { name: "Switch account" }).click();
  await signIn(other, carol);
  await other.getByRole("button", { name: "Join" }).click();
  await other.getByRole("navigation", { name: "Main" }).waitFor();
  expect(path(other)).toContain(home);
  await other.goto(journey.api.url + link);
  await other.getByRole("navigation", { name: "Main" }).waitFor();
  expect(path(other)).toContain(home);

  const stranger = await journey.open(await journey.visitor(), link);
  await stranger.getByRole("heading", { name: "This invitation was already accepted" }).waitFor();
  journey.expectMessage(other, /403/);
  await page.getByRole("button", { name: "Actions for Carol" }).click();
  await page.getByRole("menuitem", { name: "Remove" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await other.getByRole("heading", { name: "Page not found" }).waitFor();
  const second = await invite("dan@example.com");
  await row("dan@example.com").getByRole("button", { name: "Revoke" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await row("dan@example.com").waitFor({ state: "detached" });
  await stranger.goto(journey.api.url + second);
  await stranger.getByRole("heading", { name: "This invitation was revoked" }).waitFor();
  await stranger.getByText("Ask for a new invitation.").waitFor();
  const third = await invite("eve@example.com");
  await journey.api.write("update invitations set expires_at = now() where email = $1", ["eve@example.com"]);
  await stranger.goto(journey.api.url + third);
  await stranger.getByRole("heading", { name: "This invitation has expired" }).waitFor();
  await stranger.getByText("Ask for a new invitation.").waitFor();
  journey.expectMessage(stranger, /404/);
  await stranger.goto(`${journey.api.url}/accept-invitation#token=nonsense`);
  await stranger.getByText("There is no such invitation.").waitFor();
});
