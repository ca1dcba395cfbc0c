import type { Route } from "@grove/testing/browser";
import { expect, it } from "vitest";
import { interceptFirst } from "./testing/intercept";
import { useJourney } from "./testing/journey";
import { median, quantile, report } from "./testing/measured";
import { someone } from "./testing/people";
import {
  isTyping,
  keyToEcho,
  screen,
  showTerminal,
  typeBesideOutput,
  typeLine,
  untilShown,
} from "./testing/terminal";
import { startWorkbench } from "./testing/workbench";

const journey = useJourney();

it("starts an agent, watches it, types fast and in order, and stops it, by keyboard alone", async () => {
  const { page, context, client, organizationId, project, device, agent, runTool } =
    await startWorkbench(journey);
  let typing = 0;
  page.on("request", (request) => void (isTyping(request) && typing++));
  page.on("requestfinished", (request) => void (isTyping(request) && typing--));
  await runTool("create_workspace", { projectId: project.id, workspaces: [{ name: "sign-in" }] });
  await page.getByRole("link", { name: "Agents" }).press("Enter");
  await page.getByRole("heading", { name: "No agents yet" }).waitFor();
  await page.getByRole("link", { name: "Start an agent" }).press("Enter");
  await page.getByRole("option", { name: "Device default: shell" }).waitFor({ state: "attached" });
  await page.getByLabel("Prompt").fill("printf 'hel%s\\n' lo");
  await page.getByRole("button", { name: "Start agent" }).press("Enter");
  await page.getByText("Read-only").waitFor();
  await untilShown(page, "hello");

  // A viewer cannot type.
  await page.keyboard.type("not for you");
  await page.keyboard.press("i");
  await page.getByText("Typing", { exact: true }).waitFor();
  const alphabet = "abcdefghijklmnopqrstuvwxyz0123456789";
  const run = (line: string) => typeLine(page, line);
  // A browser retries a request by itself if its connection breaks before the response.
  await interceptFirst(page, "**/agent.sendInput*", async (route) => {
    await route.fetch();
    await route.continue();
  });
  await run("printf 'on%s>' ce");
  await untilShown(page, "$ printf 'on%s>' ce");
  // A pasted line waits for Enter.
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.evaluate(`navigator.clipboard.writeText("printf 'pas%s>' ted")`);
  await page.keyboard.press("Shift+Insert");
  await untilShown(page, "$ printf 'pas%s>' ted");
  expect(await screen(page)).not.toContain("pasted>");
  await page.keyboard.press("Enter");
  await untilShown(page, "pasted>");
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error("a program wrote to the clipboard"));
  });
  await run(`printf '%s\\033[6n\\033]52;c;aGVsbG8=\\007<end>\\n' ${alphabet}`);
  await untilShown(page, `${alphabet}<end>`);
  const offer = page.getByRole("alert").filter({ hasText: "The program wants to copy 5 characters:hello" });
  await offer.getByRole("button", { name: "Do not copy" }).press("Enter");
  await offer.waitFor({ state: "detached" });
  expect(await screen(page)).not.toMatch(/not for you|;\d+R/);
  const link = (address: string, text: string) => `\\033]8;;${address}\\007${text}\\033]8;;\\007`;
  const links = `${link("javascript:alert(1)", "ba%sd")} ${link("https://example.com/", "go%sod")} `;
  // The device has replied to the query, and the shell has read the reply as a line.
  await page.keyboard.press("Control+c");
  await run(`clear; printf '\\033]0;sa\\342\\200\\256fe\\007${links}<lin%s>\\n' '' '' ks`);
  await untilShown(page, "<links>");
  const terminal = page.getByRole("region", { name: "Terminal" });
  await terminal.getByText("safe", { exact: true }).waitFor();
  for (const text of ["bad", "good"]) {
    const words = terminal.getByText(text, { exact: true });
    // The row is rendered again when the pointer leaves the other link.
    await words.waitFor();
    await words.hover({ force: true });
    await words.click({ modifiers: ["Control"], force: true });
  }
  const asked = page.getByRole("alert").filter({ hasText: "The program links to:" });
  await asked.waitFor();
  expect(await asked.textContent()).toMatch(/^The program links to:https:\/\/example\.com\/Open/);
  await page.getByRole("button", { name: "Do not open" }).press("Enter");
  await terminal.getByRole("textbox").focus();

  await run("cat");
  const echoes = await keyToEcho(page, 40);
  report(
    { name: "Key to echo, p50", value: median(echoes), aim: 40 },
    { name: "Key to echo, p95", value: quantile(echoes, 0.95), aim: 90 },
  );

  // The response to a key is lost with the network. The key is not typed twice, and the rest waits for a decision.
  journey.expectMessage(page, /net::ERR_/);
  await page.keyboard.press("Enter");
  // The shell may swallow the first letter, before cat has started.
  await untilShown(page, /(x{39})\1/);
  await expect.poll(() => typing).toBe(0);
  const isSent = page.waitForRequest(isTyping);
  await interceptFirst(page, "**/agent.sendInput*", async (route) => {
    await route.fetch();
    await context.setOffline(true);
    await route.abort("internetdisconnected");
  });
  await page.keyboard.press("l");
  await isSent;
  await page.keyboard.type("ost");
  const unsure = page.getByRole("alert").filter({ hasText: "The machine has not confirmed this text:" });
  await unsure.getByText("l", { exact: true }).waitFor();
  await page.keyboard.type("!");
  await unsure.getByText("ost!", { exact: true }).waitFor();
  await context.setOffline(false);
  await unsure.getByRole("button", { name: "Send the rest" }).press("Enter");
  await run("");
  await untilShown(page, /[^l]lost!lost! ?$/);

  // A text that is refused while the machine is offline is kept, even over navigation. Its prompt shows when the
  // machine is back, and F6 focuses it.
  journey.expectMessage(page, /412/);
  // A stopped process answers no heartbeat, which would make the machine present again.
  agent.child.kill("SIGSTOP");
  const setPresentEpoch = (epoch: string) =>
    journey.api.write(`update devices set present_epoch = ${epoch}, present_until = null where id = $1`, [
      device.id,
    ]);
  await setPresentEpoch("null");
  await page.keyboard.type("kept");
  const refused = page.getByRole("alert").filter({ hasText: "This text was not sent:" });
  await refused.getByText("kept", { exact: true }).waitFor();
  await refused.getByText(/is offline/).waitFor();
  await page.getByText("Offline", { exact: true }).waitFor();
  await page.keyboard.press("F6");
  await page.getByRole("link", { name: "Devices" }).press("Enter");
  await page.getByRole("heading", { name: "Devices" }).waitFor();
  await page.goBack();
  await refused.getByText("kept", { exact: true }).waitFor();
  await page.keyboard.press("i");
  await page.getByText("Typing", { exact: true }).waitFor();
  agent.child.kill("SIGCONT");
  await setPresentEpoch("epoch");
  await refused.getByText("The machine is back.").waitFor();
  await page.keyboard.press("F6");
  await expect.poll(() => page.evaluate("document.activeElement?.textContent")).toBe("Send it");
  await page.keyboard.press("Enter");
  await refused.waitFor({ state: "detached" });
  await page.keyboard.press("i");
  await run("");
  await untilShown(page, /keptkept ?$/);

  // A program that prints endlessly blocks neither the page nor the input.
  await page.keyboard.press("Control+c");
  const beside = await typeBesideOutput(page);
  report(
    { name: "Input is answered while 5 MB are printed", value: beside.answered, aim: 100 },
    { name: "  longest frame meanwhile", value: beside.frame, aim: 50 },
  );
  await page.keyboard.press("Control+c");
  await page.keyboard.press("F6");
  await page.getByRole("link", { name: "Agents" }).press("Enter");
  const shown = await showTerminal(page, page.getByRole("link", { name: /^printf/ }), "done>");
  report(
    {
      name: "256 KiB of output are painted, from their first bytes on",
      value: shown.sinceOutput,
      aim: 150,
    },
    { name: "  with opening the page, from the click on", value: shown.sinceClick, aim: 300 },
  );

  // Another member sees the same, resizes nothing, and sees whom to ask for access.
  const bob = await someone(journey);
  const { token } = await client.organization.invite.mutate({
    organizationId,
    email: bob.email,
    role: "admin",
  });
  await bob.client.organization.acceptInvitation.mutate({ token });
  await bob.page.setViewportSize({ width: 700, height: 500 });
  const [session] = await client.agent.listSessions.query({ organizationId });
  const size = async () => {
    const key = { organizationId, id: session?.id ?? "", length: 1 };
    const { columns, rows } = await client.agent.sessionTail.query(key);
    return { columns, rows };
  };
  const before = await size();
  await bob.page.goto(page.url());
  await bob.page.getByText("Read-only").waitFor();
  await expect.poll(() => screen(bob.page)).toBe(await screen(page));
  expect(await size()).toEqual(before);
  await client.organization.updateMemberRole.mutate({ organizationId, userId: bob.userId, role: "member" });
  journey.expectMessage(bob.page, /403/);
  await bob.page.reload();
  await bob.page.getByText("You do not have access to this agent's output.").waitFor();
  await bob.page.getByText("Ask Ada Lovelace (started it).").waitFor();

  // The terminal gets the size of the window in which a user starts typing.
  await page.setViewportSize({ width: 900, height: 600 });
  await page.keyboard.press("i");
  await page.getByText("Typing", { exact: true }).waitFor();
  await expect.poll(async () => (await size()).columns).toBeLessThan(before.columns ?? 0);
  await page.keyboard.press("F6");
  await page.getByText("Read-only").waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Search or run a command" }).fill("stop");
  await page.getByRole("option", { name: "Stop the agent" }).click();
  await page.getByRole("button", { name: "Stop agent" }).press("Enter");
  await page.getByText("Stopped").waitFor();
  await page.getByRole("button", { name: "Start again" }).press("Enter");
  await expect.poll(() => page.getByLabel("Prompt").inputValue()).toBe("printf 'hel%s\\n' lo");
  expect(await page.getByLabel("Agent").inputValue()).toBe("shell");
  await page.getByRole("link", { name: "Agents" }).press("Enter");
  await page
    .getByRole("row", { name: /^printf .+ shell/ })
    .getByText("Stopped")
    .waitFor();

  // The machine's page links to its workspaces and agents.
  await page.getByRole("link", { name: "Devices" }).press("Enter");
  await page.getByRole("link", { name: "laptop" }).press("Enter");
  await page.getByRole("table").getByRole("link", { name: "sign-in" }).waitFor();
  const about = page.getByRole("navigation", { name: "About this device" });
  await about.getByRole("link", { name: "Sessions" }).press("Enter");
  await page
    .getByRole("list", { name: "Agents" })
    .getByRole("link", { name: /^printf/ })
    .waitFor();

  // Keystrokes are listed among its commands only on request.
  await about.getByRole("link", { name: "Commands" }).press("Enter");
  const line = (label: string) => page.getByRole("row").filter({ hasText: label });
  await line("Stop an agent").waitFor();
  expect(await line("Type into an agent").count()).toBe(0);
  await page.getByRole("checkbox", { name: /read-only commands and keystrokes/ }).check();
  await line("Type into an agent").first().waitFor();
});

it("names agents, shows how they end, renames them and filters them", async () => {
  const { page, client, organizationId, device, runTool, startShell } = await startWorkbench(journey);
  const { id, workspaceId } = await startShell("# Fix the login\necho 'done\u200b now'; exit 127");
  await expect
    .poll(async () => (await client.agent.getSession.query({ organizationId, id })).status)
    .toBe("exited");
  await page.getByRole("link", { name: "Agents" }).press("Enter");
  const row = (name: string) => page.getByRole("row").filter({ hasText: name });
  await row("# Fix the login").getByText("Exited with code 127").waitFor();
  await row("# Fix the login").getByText("shell", { exact: true }).waitFor();
  // The shell prints the command and `exit` after the text.
  await row("# Fix the login").getByText("exit", { exact: true }).waitFor();

  // A terminal without a prompt.
  await runTool("start_agent_session", { workspaceId, agent: "shell" });
  await row("Terminal").getByText("Needs input").waitFor();

  // A terminal that loads slowly leaves the focus where the user has moved it.
  const held: Route[] = [];
  await page.route(/assets\/terminal-.*js$/, (route) => void held.push(route));
  await page.reload();
  await page.getByRole("link", { name: "# Fix the login" }).press("Enter");
  await page.getByRole("heading", { name: "# Fix the login" }).waitFor();
  await page.getByRole("button", { name: "Rename" }).focus();
  await expect.poll(() => held.length).toBe(1);
  for (const route of held) await route.continue();
  await page.getByRole("region", { name: "Terminal" }).waitFor();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Rename agent session" });
  const field = dialog.getByLabel("New name");
  expect(await field.inputValue()).toBe("# Fix the login");
  await field.fill("Login");
  await field.press("Enter");
  await page.getByRole("heading", { name: "Login" }).waitFor();
  await expect.poll(() => page.title()).toBe("(1) Login: terminal · Grove");
  await page.getByRole("link", { name: "Agents" }).press("Enter");
  await row("Login").waitFor();

  // The filter is in the URL.
  const filter = page.getByRole("search", { name: "Filter" });
  await filter.getByLabel("State").selectOption("Ended");
  await row("Terminal").waitFor({ state: "detached" });
  await filter.getByLabel("Device").selectOption("laptop");
  await filter.getByLabel("Agent").selectOption("shell");
  await row("Login").waitFor();
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
    state: "ended",
    device: device.id,
    agent: "shell",
  });
  await page.reload();
  await row("Login").waitFor();
  await filter.getByLabel("State").selectOption("Running");
  await page.getByRole("heading", { name: "No agents match this filter" }).waitFor();
  await page.getByRole("button", { name: "Clear filter" }).press("Enter");
  await row("Terminal").waitFor();
  await row("Login").waitFor();
});
