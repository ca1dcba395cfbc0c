import type { Page } from "@grove/testing/browser";
import { expect, it } from "vitest";
import { useJourney } from "./testing/journey";
import { startMachine } from "./testing/machine";
import { report } from "./testing/measured";
import { someone } from "./testing/people";

const journey = useJourney();

/** The row of a device in the list. */
const row = (page: Page, name: string) => page.getByRole("row").filter({ hasText: name });

/** A user with a registered, running machine. */
async function withMachine(name = "laptop") {
  const person = await someone(journey);
  const machine = await startMachine(journey.api.url);
  const { code } = await machine.run(["register", "--name", name], { API_KEY: person.apiKey }).ended;
  expect(code).toBe(0);
  const agent = machine.run(["start"]);
  await person.page.getByRole("link", { name: "Devices" }).click();
  await row(person.page, name).getByText("Online").waitFor();
  return { ...person, machine, agent };
}

it("adds a machine by the code that it shows, and shows it online", async () => {
  const { page } = await someone(journey);
  await page.getByRole("link", { name: "Add a device" }).click();
  await page.getByRole("heading", { name: "With a code" }).waitFor();

  const machine = await startMachine(journey.api.url);
  const registering = machine.run(["register", "--name", "build server"]);
  const shown = await registering.waitForLine("Open");
  const address = new URL(/http\S+/.exec(shown)?.[0] ?? "");
  const code = address.searchParams.get("code") ?? "";
  await page.getByRole("textbox", { name: "Code" }).fill(code.toLowerCase());
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText(code, { exact: true }).waitFor();
  await expect.poll(() => page.getByRole("textbox", { name: "Name" }).inputValue()).toBe("build server");
  await page.getByRole("textbox", { name: "Name" }).fill("desk");
  await page.getByRole("button", { name: "Approve" }).click();

  await page.getByText("Registered as desk").waitFor();
  expect((await registering.ended).code).toBe(0);
  machine.run(["start"]);
  await page.getByText(/^Connected/).waitFor();
  await page.getByRole("link", { name: "Open the device" }).click();
  await page.getByRole("heading", { name: "desk" }).waitFor();
  await page.getByText("Online").waitFor();
});

it("reports a wrong or expired code", async () => {
  const { page } = await someone(journey, "/device?code=BCDF-GHJK");
  journey.expectMessage(page, /404/);
  const noMachine = page.getByRole("heading", { name: "No machine is waiting with this code" });
  await noMachine.waitFor();
  const machine = await startMachine(journey.api.url);
  const registering = machine.run(["register", "--name", "late server"]);
  const [, code = ""] = /Compare +(\S+)/.exec(await registering.waitForLine("Compare")) ?? [];
  await page.getByRole("link", { name: "Enter another code" }).click();
  await page.getByRole("textbox", { name: "Code" }).fill(code);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("textbox", { name: "Name" }).waitFor();
  await journey.api.write("update device_pairings set expires_at = now() where name = $1", ["late server"]);
  await page.getByRole("button", { name: "Approve" }).click();
  const refusal = page.getByRole("alert").filter({ hasText: "Could not approve the machine." });
  await refusal.getByText("No machine is waiting with this code.").waitFor();
  const { code: exitCode, stderr } = await registering.ended;
  expect(exitCode).toBe(1);
  expect(stderr).toContain("Run `grove-device register` again.");
  await page.reload();
  await noMachine.waitFor();
  await page.getByRole("link", { name: "Enter another code" }).click();
  await page.getByRole("textbox", { name: "Code" }).waitFor();
});

it("adds a machine by one copied line", async () => {
  const { page, context } = await someone(journey);
  await page.getByRole("link", { name: "Add a device" }).click();
  await page.getByRole("button", { name: "Create command" }).click();
  const line = await page.getByText(/--token grt_/).textContent();
  // The script itself is tested in tooling/e2e.
  const [, address = "", token = ""] =
    /^curl -fsSL (\S+) \| sh -s -- --token (grt_[\w-]+)$/.exec(line ?? "") ?? [];
  const script = await context.request.get(address);
  expect(await script.text()).toContain(`address='${journey.api.url}'`);
  const machine = await startMachine(journey.api.url);
  expect((await machine.run(["register", "--token", token, "--name", "server"]).ended).code).toBe(0);
  await page.getByText("Registered as server").waitFor();
  machine.run(["start"]);
  await page.getByRole("link", { name: "Open the device" }).waitFor();
});

it("shows why a machine is offline, and that it is back", async () => {
  const { page, machine, agent } = await withMachine();
  const killed = performance.now();
  agent.child.kill("SIGKILL");
  await row(page, "laptop").getByText("Disconnected").waitFor();
  report({ name: "A killed machine is shown as offline", value: performance.now() - killed, aim: 10_000 });
  await page.getByRole("link", { name: "laptop" }).click();
  await page.getByText("grove-device doctor").waitFor();
  machine.run(["start"]);
  await page.getByRole("main").getByText("Online").waitFor();
});

it("renames a device, which another tab shows", async () => {
  const { page, context } = await withMachine();
  const other = await journey.open(context, new URL(page.url()).pathname);
  await row(other, "laptop").waitFor();
  await page.getByRole("link", { name: "laptop" }).click();
  await page.getByRole("button", { name: "Rename" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("desk");
  await page.getByRole("textbox", { name: "Name" }).press("Enter");
  await page.getByRole("heading", { name: "desk" }).waitFor();
  await row(other, "desk").waitFor();
});

it("shares, gives a new key, and revokes, by keyboard alone", async () => {
  const { page, agent } = await withMachine();
  await page.getByRole("link", { name: "laptop" }).press("Enter");
  const action = async (name: string) => {
    await page.getByRole("button", { name: "More actions" }).press("Enter");
    await page.getByRole("menuitem", { name }).press("Enter");
  };
  const main = page.getByRole("main");
  await main.getByText("Only its owner").waitFor();
  await action("Share");
  await page.getByRole("dialog").getByRole("button", { name: "Share" }).press("Enter");
  await main.getByText("All members").waitFor();
  await action("Stop sharing");
  await page.getByRole("dialog").getByRole("button", { name: "Stop sharing" }).press("Enter");
  await main.getByText("Only its owner").waitFor();

  await action("Rotate key");
  await page.getByRole("button", { name: "Rotate key" }).press("Enter");
  await page.getByText(/DEVICE_KEY=grd_/).waitFor();
  expect((await agent.ended).code).toBe(4);
  await page.getByRole("button", { name: "Done" }).press("Enter");
  expect(await page.content()).not.toContain("grd_");

  await action("Revoke");
  const confirm = page.getByRole("dialog").getByRole("button", { name: "Revoke" });
  expect(await confirm.isDisabled()).toBe(true);
  await page.getByLabel("Type laptop to confirm").fill("laptop");
  await page.getByLabel("Type laptop to confirm").press("Enter");
  await page.getByRole("heading", { name: "No devices yet" }).waitFor();
});
