import type { Page } from "@grove/testing/browser";
import { expect, it } from "vitest";
import { useJourney } from "./testing/journey";
import { quantile, report } from "./testing/measured";
import { measureInteractions, slowDown } from "./testing/speed";
import { startWorkbench } from "./testing/workbench";

const journey = useJourney();

/** The card of an agent that asks with this text. */
const card = (page: Page, words: string) =>
  page.getByRole("article", { name: / needs input in sign-in$/ }).filter({ hasText: words });

it("guides to the first agent, notifies of waiting agents, sends answers, and navigates by keys", async () => {
  const { page, context, client, organizationId, project, runTool } = await startWorkbench(journey);
  await page.getByRole("heading", { name: "Three steps to your first agent" }).waitFor();
  await page.getByRole("link", { name: "Create a workspace" }).waitFor();
  await runTool("create_workspace", { projectId: project.id, workspaces: [{ name: "sign-in" }] });
  await page.getByRole("main").getByRole("link", { name: "Start an agent" }).waitFor();
  const [workspace] = await client.workspace.list.query({ organizationId });
  const start = (prompt: string) => runTool("start_agent_session", { workspaceId: workspace?.id, prompt });
  await start('read -p "Deploy it? " answer; echo "so $answer"; sleep 1000');
  await start("clear; printf 'Proceed?\\n> 1. Yes\\n  2. No\\n'; read -n 1 key; sleep 1000");

  // Both agents wait for input: on the page, in the sidebar, in the tab's title.
  await card(page, "Deploy it?").waitFor();
  await card(page, "> 1. Yes").waitFor();
  await page.getByRole("link", { name: "Now 2 agents need input" }).waitFor();
  await expect.poll(() => page.title()).toBe("(2) Now · Grove");

  // A notification while the page is hidden. Headless browsers grant the permission, but report it as denied.
  await context.grantPermissions(["notifications"]);
  await page.evaluate(() => {
    const called: string[] = [];
    globalThis.Notification = class extends Notification {
      static override get permission() {
        return "granted" as const;
      }
      constructor(title: string, options?: NotificationOptions) {
        super(title, options);
        called.push(`${title}: ${options?.body}`);
      }
    };
    Object.assign(globalThis, { called });
    const look = (state: string) => {
      Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    };
    Object.assign(globalThis, { look });
    look("hidden");
  });
  await start('read -p "Call it off? " answer; sleep 1000');
  await expect
    .poll(() => page.evaluate<string[]>("called"))
    .toEqual([expect.stringMatching(/^read -p "Call it off\? " .* may need input: .*Call it off\?/s)]);
  await page.evaluate('look("visible")');
  await client.agent.stopSession.mutate({
    organizationId,
    id: (await client.agent.listSessions.query({ organizationId }))[0]?.id ?? "",
  });
  await card(page, "Call it off?").waitFor({ state: "detached" });

  // By keyboard from any page, from one agent to the next and back.
  const [first, second] = (
    await client.agent.listSessions.query({ organizationId, status: "running" })
  ).toReversed();
  const path = () => new URL(page.url()).pathname.split("/").slice(3).join("/");
  await page.keyboard.press("g");
  await page.keyboard.press("d");
  await page.getByRole("heading", { name: "Devices" }).waitFor();
  for (const session of [first, second, first]) {
    await page.keyboard.press(".");
    await expect.poll(path).toBe(`agents/${session?.id}`);
  }
  // Also from pages outside the organization: the account, and an unknown URL.
  await page.goto(new URL("/account", page.url()).href);
  await page.getByRole("heading", { name: "Your account" }).waitFor();
  await page.keyboard.press(".");
  await expect.poll(path).toBe(`agents/${first?.id}`);
  await page.goto(new URL("/o/nothing", page.url()).href);
  await page.getByRole("heading", { name: "Page not found" }).waitFor();
  await page.keyboard.press("?");
  await page
    .getByRole("dialog", { name: "Keyboard shortcuts" })
    .getByText("Go to the next agent that needs input")
    .waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Search or run a command" }).fill("devi");
  await page.getByRole("option", { name: /^Devices/ }).click();
  await page.getByRole("heading", { name: "Devices" }).waitFor();

  // From the card to the changes.
  await page.getByRole("link", { name: /^Now/ }).click();
  await card(page, "Deploy it?")
    .getByRole("link", { name: /^Changes/ })
    .click();
  await expect.poll(() => new URL(page.url()).search).toBe("?only=changes");
  await page.goBack();
  // The answer from the card. In a terminal, `g` is not a shortcut.
  const answer = card(page, "Deploy it?").getByLabel(/^Answer .+ in sign-in$/);
  await answer.fill("yes.");
  await answer.press("Enter");
  await card(page, "Deploy it?").waitFor({ state: "detached" });
  const output = async () =>
    (await client.agent.sessionTail.query({ organizationId, id: first?.id ?? "" })).output;
  await expect.poll(output).toContain("so yes.");
  await expect
    .poll(() => page.evaluate("document.activeElement?.ariaLabel"))
    .toMatch(/^Answer clear; printf .+ in sign-in$/);
  await card(page, "> 1. Yes").getByRole("button", { name: "2 No" }).waitFor();
  await expect.poll(() => page.title()).toBe("(1) Now · Grove");

  // The palette: a task from the API, an agent from the cache.
  await client.task.create.mutate({ organizationId, title: "Fix the login form" });
  await page.keyboard.press("Control+k");
  const search = page.getByRole("combobox", { name: "Search or run a command" });
  await search.fill("login");
  await page.getByRole("option", { name: /^Fix the login form/ }).waitFor();
  await search.press("Enter");
  await page.getByRole("heading", { name: "Fix the login form" }).waitFor();
  await page.keyboard.press("Control+k");
  await search.fill("shl");
  await page.getByRole("option", { name: /^clear; printf .+ shell sign-in Needs input$/ }).click();
  await expect.poll(path).toBe(`agents/${second?.id}`);

  // The speed of loaded code: the palette, and interactions at a quarter of the CPU.
  await page.getByRole("heading", { name: /^clear; printf/ }).waitFor();
  const palette = await measureInteractions(page);
  for (let n = 0; n < 5; n++) {
    await page.keyboard.press("Control+k");
    await search.waitFor();
    await page.keyboard.press("Escape");
    await search.waitFor({ state: "detached" });
  }
  const opened = (await palette())[5]?.duration ?? 0;
  await page.keyboard.press("Control+k");
  const filter = await measureInteractions(page);
  await search.pressSequentially("proceed");
  const filtered = (await filter())[1]?.duration ?? 0;
  await page.keyboard.press("Escape");
  await search.waitFor({ state: "detached" });
  report(
    { name: "The palette opens or closes, p50", value: opened, aim: 50 },
    { name: "  it filters, p50", value: filtered, aim: 30 },
  );
  await slowDown(page);
  const slow = await measureInteractions(page);
  for (const title of ["Devices", "Projects", "Workspaces", "Agents", "Tasks", "Now", "Agents"])
    await page.getByRole("link", { name: new RegExp(`^${title}`) }).click();
  for (const title of ["d", "t", "a"]) for (const key of ["g", title]) await page.keyboard.press(key);
  await page.keyboard.press("Control+k");
  await search.pressSequentially("proceed");
  await page.getByRole("option", { name: /^clear; printf .+ shell sign-in Needs input$/ }).waitFor();
  await search.press("Enter");
  const interactions = (await slow()).map(({ duration }) => duration);
  report({
    name: `${interactions.length} clicks and keys with a quarter of the processor, p90`,
    value: quantile(interactions, 0.9),
    aim: 100,
  });
  await (await page.context().newCDPSession(page)).send("Emulation.setCPUThrottlingRate", { rate: 1 });

  // Keys without Ctrl can be turned off.
  await page.getByRole("heading", { name: /^clear; printf/ }).waitFor();
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).getByLabel("Single-key shortcuts").uncheck();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  for (const key of ["g", "n"]) await page.keyboard.press(key);
  await page.keyboard.press("Control+k");
  await search.fill("now");
  await search.press("Enter");
  await card(page, "> 1. Yes").waitFor();

  // A dismissed guess is no longer counted, until the session continues.
  await card(page, "> 1. Yes")
    .getByRole("button", { name: /^Dismiss/ })
    .press("Enter");
  await expect.poll(() => page.title()).toBe("Now · Grove");
  await page.getByRole("heading", { name: "Your running agents" }).waitFor();
});

it("sends an answer only to the question that it was typed for, and keeps it if the question has changed", async () => {
  const { page, client, organizationId, startShell } = await startWorkbench(journey);
  const session = await startShell(
    "clear; read -p 'Read it? ' a; clear; read -p 'Remove it? ' b; clear; read -p 'Anything else? ' c; echo $a,$b,$c; sleep 1000",
  );
  await client.agent.renameSession.mutate({ organizationId, id: session.id, name: "Reader" });
  const typeElsewhere = (text: string) =>
    client.agent.sendInput.mutate({ organizationId, id: session.id, text: `${text}\r`, screen: "live" });
  const output = async () =>
    (await client.agent.sessionTail.query({ organizationId, id: session.id })).output;
  const field = page.getByLabel("Answer Reader in sign-in");
  await card(page, "Read it?").waitFor();
  await field.fill("yes");
  await typeElsewhere("first");
  await card(page, "Remove it?").waitFor();
  // The text was typed for the first question, and is still in the field.
  journey.expectMessage(page, /412/);
  await field.press("Enter");
  await page
    .getByRole("alert")
    .getByText("The question has changed, so nothing was typed. It is now:")
    .waitFor();
  expect(await field.inputValue()).toBe("yes");
  expect(await output()).toMatch(/Remove it\? $/);
  await field.press("Enter");
  await card(page, "Anything else?").waitFor();

  await field.fill("nothing");
  await typeElsewhere("last");
  const left = page.getByRole("article", { name: "Reader no longer needs input in sign-in" });
  expect(await left.getByLabel("Your answer was not sent:").inputValue()).toBe("nothing");
  await expect.poll(output).toContain("first,yes,last");
  await left.getByRole("button", { name: "Discard" }).click();
  await left.waitFor({ state: "detached" });
});
