import type { Route } from "@grove/testing/browser";
import { describe, expect, it } from "vitest";
import { interceptFirst } from "./testing/intercept";
import { useJourney } from "./testing/journey";
import { report } from "./testing/measured";
import { signedIn, signIn, signUp, someone } from "./testing/people";
import { narrow, slowDown } from "./testing/speed";

const journey = useJourney();
const path = (url: string) => new URL(url).pathname + new URL(url).search;

it("signs up, out and in again, and returns to the requested page", async () => {
  const page = await journey.open(await journey.visitor(), "/");
  await page.getByRole("heading", { name: "Sign in to Grove" }).waitFor();
  const paint = 'performance.getEntriesByName("first-contentful-paint")[0]?.startTime';
  await expect.poll(() => page.evaluate(paint)).toBeTypeOf("number");
  const afterPaint = await page.evaluate<number>(paint);
  report({ name: "First paint", value: afterPaint, aim: 400 });
  await page.getByRole("link", { name: "Sign up" }).click();
  const person = await signUp(page);
  await page.getByRole("heading", { name: "Now" }).waitFor();
  const wanted = path(page.url());

  // A call in flight during a slow sign-out is aborted, because the API would refuse it. The page shows no error.
  const held: Route[] = [];
  for (const call of [/apiKey\.list/, /auth\/sign-out/])
    await interceptFirst(page, call, (route) => void held.push(route));
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "API keys" }).click();
  await expect.poll(() => held.length).toBe(1);
  await page.getByRole("button", { name: "Account: Ada Lovelace" }).click();
  await page.clock.install();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect.poll(() => held.length).toBe(2);
  expect(held[0]?.request().failure()?.errorText).toContain("ABORTED");
  await page.clock.runFor(30_000);
  // The live stream ends with the session, before the page is left. Calls of that moment are held.
  await page.clock.pauseAt(Date.now() + 60_000);
  const response = await held[1]?.fetch();
  await held[1]?.fulfill({ response });
  await page.getByRole("heading", { name: "Sign in to Grove" }).waitFor();
  await page.clock.resume();
  expect(await page.getByText("Your session has ended.").count()).toBe(0);
  await page.goto(journey.api.url + wanted);
  await signIn(page, person);
  await page.getByRole("heading", { name: "Now" }).waitFor();
  expect(path(page.url())).toBe(wanted);
});

it("reports a wrong password at its field", async () => {
  const { email } = await journey.api.signUp();
  const page = await journey.open(await journey.visitor(), "/sign-in");
  journey.expectMessage(page, /401/);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill("something else");
  await page.getByRole("button", { name: "Sign in" }).click();
  const field = page.getByLabel("Password");
  await expect.poll(() => field.getAttribute("aria-invalid")).toBe("true");
});

describe("after sign-in", () => {
  it.each(["https://evil.example/", "//evil.example", "/\\evil.example"])(
    "does not lead to %s",
    async (to) => {
      const person = await journey.api.signUp();
      const page = await journey.open(await journey.visitor(), `/sign-in?to=${encodeURIComponent(to)}`);
      await signIn(page, person);
      await page.getByRole("heading", { name: "Now" }).waitFor();
      expect(new URL(page.url()).origin).toBe(journey.api.url);
    },
  );
});

it("requires sign-in after the session was ended elsewhere, explains that, and returns to the page", async () => {
  const person = await journey.api.signUp("Ada Lovelace");
  const page = await journey.open(await signedIn(journey, person), "/");
  await page.getByRole("heading", { name: "Now" }).waitFor();
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "API keys" }).click();
  await page.getByRole("heading", { name: "API keys" }).waitFor();
  const wanted = path(page.url());
  journey.expectMessage(page, /401/);
  const { client } = person;
  for (const session of await client.user.listSessions.query())
    if (!session.current) await client.user.revokeSession.mutate({ id: session.id });
  await page.getByText("Your session has ended. Sign in again.").waitFor();
  expect(new URL(page.url()).searchParams.get("to")).toBe(wanted);
  await signIn(page, person);
  await page.getByRole("heading", { name: "API keys" }).waitFor();
  expect(path(page.url())).toBe(wanted);
});

it("shows the same for an unknown and a foreign organization", async () => {
  const stranger = await journey.api.signUp("Stranger");
  const [theirs] = await stranger.client.organization.list.query();
  const { page } = await someone(journey, `/o/${theirs?.slug}/devices`);
  await page.getByRole("heading", { name: "Page not found" }).waitFor();
  await page.goto(`${journey.api.url}/o/nothing-of-the-kind/devices`);
  await page.getByRole("heading", { name: "Page not found" }).waitFor();
});

it("renders the first list in time on a slow network and CPU", async () => {
  const person = await someone(journey, "/sign-in");
  const { client, context, organizationId } = person;
  await client.device.register.mutate({ organizationId, name: "laptop", platform: "linux" });
  const [organization] = await client.organization.list.query();
  const page = await journey.open(context, "about:blank");
  await Promise.all([slowDown(page), narrow(page)]);
  await page.addInitScript(() => {
    new MutationObserver((_, observer) => {
      if (!document.querySelector("main tbody tr")) return;
      observer.disconnect();
      requestAnimationFrame((now) => Object.assign(globalThis, { listedAfter: now }));
    }).observe(document, { subtree: true, childList: true });
  });
  await page.goto(`${journey.api.url}/o/${organization?.slug}/devices`);
  await page.getByRole("row").filter({ hasText: "laptop" }).waitFor();
  await expect.poll(() => page.evaluate("globalThis.listedAfter")).toBeTypeOf("number");
  const listed = await page.evaluate<number>("listedAfter");
  report({
    name: "First list over 10 Mbit/s with a quarter of the processor",
    value: listed,
    aim: 1_500,
  });
});

it("keeps the chosen theme over a reload without a flash of the other, and respects reduced motion", async () => {
  const { page } = await someone(journey);
  const background = () => page.evaluate<string>("getComputedStyle(document.body).backgroundColor");
  const choose = async (theme: string) => {
    await page.getByRole("button", { name: /^Account/ }).click();
    await page.getByRole("menuitemradio", { name: theme }).click();
    await page.keyboard.press("Escape");
    await page.getByRole("menu").waitFor({ state: "detached" });
    return background();
  };
  const [dark, light] = [await choose("Dark"), await choose("Light")];
  expect(dark).not.toBe(light);
  // The page's own code never runs, so this checks the first paint.
  const firstPaint = async () => {
    await interceptFirst(page, "**/assets/*.js", () => {});
    await page.reload({ waitUntil: "commit" });
    await expect.poll(() => page.evaluate("document.body !== null")).toBe(true);
    await expect.poll(background).not.toBe("rgba(0, 0, 0, 0)");
    const afterPaint = await background();
    await page.reload();
    await page.getByRole("heading", { name: "Three steps to your first agent" }).waitFor();
    return afterPaint;
  };
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await firstPaint()).toBe(light);
  await choose("System");
  expect(await firstPaint()).toBe(dark);
  await page.emulateMedia({ colorScheme: "light" });
  await expect.poll(background).toBe(light);
  await choose("Dark");
  expect(await firstPaint()).toBe(dark);

  /** The total duration of the page's transitions and animations, in seconds. */
  const motion = (reducedMotion: "reduce" | "no-preference") =>
    page.emulateMedia({ reducedMotion }).then(() =>
      page.evaluate(() =>
        [...document.querySelectorAll("*")]
          .map((element) => getComputedStyle(element))
          .flatMap(({ transitionDuration, animationName, animationDuration }) => [
            ...transitionDuration.split(","),
            ...(animationName === "none" ? [] : animationDuration.split(",")),
          ])
          .reduce((sum, duration) => sum + Number.parseFloat(duration), 0),
      ),
    );
  expect(await motion("no-preference")).toBeGreaterThan(1);
  expect(await motion("reduce")).toBe(0);
});
