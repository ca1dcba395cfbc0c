import { expect, it } from "vitest";
import { useJourney } from "./testing/journey";

const journey = useJourney({ LOCAL: "true" });

/** Creates a sign-in link, as the launcher does. */
async function makeLink(token: string, endEarlier = false): Promise<{ path: string; code: string }> {
  const response = await fetch(`${journey.api.url}/api/auth/links`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify({ endEarlier }),
  });
  const { code } = (await response.json()) as { code: string };
  return { path: `/link#code=${code}`, code };
}

async function signedInOwner(): Promise<string> {
  const { email, password } = await journey.api.signUp("Owner");
  const response = await fetch(`${journey.api.url}/api/auth/sign-in`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email, password }),
  });
  return ((await response.json()) as { token: string }).token;
}

it("signs a browser in once, and leaves no code behind", async () => {
  const token = await signedInOwner();
  const { path, code } = await makeLink(token);
  const context = await journey.visitor();
  const page = await journey.open(context, path);
  await page.getByRole("heading", { name: "Now" }).waitFor();
  expect(page.url()).not.toContain(code);
  expect(await context.cookies()).toEqual([]);
  await page.goBack();
  expect(page.url()).not.toContain(code);
  await page.goto(journey.api.url);
  await page.getByRole("heading", { name: "Now" }).waitFor();

  const again = await journey.open(await journey.visitor(), path);
  journey.expectMessage(again, /400/);
  await again.getByRole("heading", { name: "Could not sign you in with this link" }).waitFor();
  await again.getByText("grove link").waitFor();
});

it("signs out the browsers of an earlier run, and shows how to sign in again", async () => {
  const token = await signedInOwner();
  const page = await journey.open(await journey.visitor(), (await makeLink(token)).path);
  await page.getByRole("heading", { name: "Now" }).waitFor();
  await makeLink(token, true);
  journey.expectMessage(page, /401/);
  await page.getByText("Grove runs in local mode, for the owner of this machine.").waitFor();
});
