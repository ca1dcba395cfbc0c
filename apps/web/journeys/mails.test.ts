import { freePort } from "@grove/testing/freePort";
import { useGitHub } from "@grove/testing/gitHub";
import { expect, it } from "vitest";
import { useJourney } from "./testing/journey";
import { useMailbox } from "./testing/mailbox";
import { signUp } from "./testing/people";

const mailbox = await useMailbox();
const gitHub = await useGitHub();
const PORT = `${await freePort()}`;
const journey = useJourney({
  ...mailbox.env,
  PORT,
  // GitHub redirects to it.
  PUBLIC_URL: `http://127.0.0.1:${PORT}`,
  GITHUB_URL: gitHub.url,
  GITHUB_CLIENT_ID: gitHub.clientId,
  GITHUB_CLIENT_SECRET: gitHub.clientSecret,
});

it("verifies an address by the mail's link, if the user is signed in", async () => {
  const context = await journey.visitor();
  const page = await journey.open(context, "/sign-up");
  const { email } = await signUp(page);
  const link = await mailbox.link(email, "verify-email");
  const mail = await journey.open(context, link);
  await mail.getByText(email).waitFor();
  expect(mail.url()).not.toContain("token");
  await mail.getByRole("button", { name: "Verify" }).click();
  await mail.getByRole("link", { name: "Continue" }).click();
  await mail.getByRole("heading", { name: "Three steps to your first agent" }).waitFor();
});

it("warns a signed-out user before the account is reset", async () => {
  const { email } = await journey.api.signUp();
  const link = await mailbox.link(email, "verify-email");
  const page = await journey.open(await journey.visitor(), link);
  await page.getByText("You are not signed in here.").waitFor();
  await page.getByRole("link", { name: "Sign in first" }).waitFor();
  // An expired link offers only a new one.
  const token = new URLSearchParams(new URL(link, journey.api.url).hash.slice(1)).get("token");
  const spent = await page.request.post(`${journey.api.url}/api/auth/verify-email`, { data: { token } });
  expect(spent.ok()).toBe(true);
  journey.expectMessage(page, /400/);
  await page.getByRole("button", { name: "Verify and reset account" }).click();
  await page.getByRole("heading", { name: "This link no longer works" }).waitFor();
  await page.getByRole("link", { name: "Request a new link on your account page" }).waitFor();
  expect(await page.getByRole("button", { name: "Verify and reset account" }).count()).toBe(0);
});

it("sets a forgotten password, and signs the other sessions out", async () => {
  const person = await journey.api.signUp();
  const page = await journey.open(await journey.visitor(), "/sign-in");
  await page.getByRole("link", { name: "Forgot your password?" }).click();
  // Both pages have a field of this name.
  await page.getByRole("heading", { name: "Reset your password" }).waitFor();
  await page.getByLabel("Email").fill(person.email);
  await page.getByRole("button", { name: "Send reset link" }).click();
  await page.getByRole("heading", { name: "Check your email" }).waitFor();

  await page.goto(journey.api.url + (await mailbox.link(person.email, "reset-password")));
  await page.getByLabel("New password").fill("another horse battery");
  await page.getByRole("button", { name: "Set password" }).click();
  await page.getByRole("link", { name: "Sign in" }).click();
  await page.getByLabel("Email").fill(person.email);
  await page.getByLabel("Password").fill("another horse battery");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("navigation", { name: "Main" }).waitFor();
  await expect(person.client.user.get.query()).rejects.toThrow();
});

it("signs in through GitHub, shows why GitHub refused, and returns to the requested page", async () => {
  const page = await journey.open(await journey.visitor(), "/account");
  journey.expectMessage(page, new RegExp(`asked ${gitHub.url}`));
  const byGitHub = page.getByRole("link", { name: "Continue with GitHub" });
  gitHub.state.person = undefined;
  await byGitHub.click();
  await page.getByRole("alert").getByText("GitHub did not sign you in.").waitFor();
  const { pathname, hash } = new URL(page.url());
  expect([pathname, hash]).toEqual(["/sign-in", ""]);

  const email = `${crypto.randomUUID()}@example.com`;
  gitHub.state.person = {
    id: 7,
    login: "octocat",
    name: "Mona Lisa",
    avatar_url: "https://example.com/mona.png",
    emails: [{ email, primary: true, verified: true, visibility: null }],
  };
  await byGitHub.click();
  await page.getByRole("heading", { name: "Your account" }).waitFor();
  await expect.poll(() => page.getByLabel("Name").inputValue()).toBe("Mona Lisa");

  // The redirect from an integration's provider, after its state has expired.
  await page.goto(`${journey.api.url}/api/integrations/callback?state=old&code=old`);
  await page.getByText("The account was not connected.").waitFor();
  expect(page.url()).toMatch(/\/o\/[^/]+\/account$/);
});
