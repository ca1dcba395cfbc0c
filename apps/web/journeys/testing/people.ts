import type { Page } from "@grove/testing/browser";
import type { Journey } from "./journey";

const password = "correct horse battery";

/** Signs a user up by the form. Ends on the page Now. */
export async function signUp(page: Page, name = "Ada Lovelace"): Promise<{ email: string }> {
  const email = `${crypto.randomUUID()}@example.com`;
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByRole("navigation", { name: "Main" }).waitFor();
  return { email };
}

/** Fills in the sign-in form. */
export async function signIn(page: Page, { email }: { email: string }): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

/** Creates a user with an organization, and a page on which the user is signed in. */
export async function someone(journey: Journey, path = "/") {
  const person = await journey.api.signUp("Ada Lovelace");
  const context = await signedIn(journey, person);
  const page = await journey.open(context, path);
  return { ...person, context, page };
}

/** Creates a browser profile in which an existing user is signed in. */
export async function signedIn(
  journey: Journey,
  { email, password }: { email: string; password: string },
  options?: { isPhone?: boolean },
) {
  const context = await journey.visitor(options);
  await context.request.post(`${journey.api.url}/api/auth/sign-in`, { data: { email, password } });
  return context;
}
