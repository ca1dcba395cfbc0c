import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { until } from "@grove/testing/until";
import { expect, it } from "vitest";
import { useJourney } from "./testing/journey";
import { startWorkbench } from "./testing/workbench";

const journey = useJourney();

it("undoes what an agent did, on a phone too, and a project switches restore points off", async () => {
  const { page, client, organizationId, project, runTool, untilOnline } = await startWorkbench(journey);
  await untilOnline();
  const params = { projectId: project.id, workspaces: [{ name: "sign-in" }] };
  const { workspaces } = (await runTool("create_workspace", params)) as {
    workspaces: { id: string; path: string }[];
  };
  const [{ id: workspaceId, path } = { id: "", path: "" }] = workspaces;
  const notes = join(path, "notes.txt");
  await writeFile(notes, "mine\n");
  await runTool("make_point", { workspaceId });
  const prompt = "echo 'of the agent' >> notes.txt";
  await runTool("start_agent_session", { workspaceId, prompt });
  const content = () => readFile(notes, "utf8");
  await expect.poll(content).toBe("mine\nof the agent\n");
  await until(async () => {
    const [session] = await client.agent.listSessions.query({ organizationId });
    return session?.waitingForInput;
  });

  await page.getByRole("link", { name: "Workspaces" }).click();
  await page.getByRole("link", { name: "sign-in" }).first().click();
  const changes = page.getByRole("region", { name: "Changes" });
  await changes.getByText("of the agent").waitFor();
  await page.keyboard.press("z");
  // Toasts are dialogs, too.
  const dialog = page.getByRole("dialog", { name: /^(Restore points|(Undo|Restore) .*\?)$/ });
  const turns = dialog.getByRole("list", { name: "Turns" }).getByRole("listitem");
  await turns.filter({ hasText: "Since the last restore point" }).waitFor();
  expect(await turns.count()).toBe(2);

  // The preview compares with the point.
  await turns.first().getByRole("link", { name: "Preview the undo" }).press("Enter");
  await dialog.waitFor({ state: "detached" });
  const compared = page.getByRole("combobox", { name: "Show" });
  await expect.poll(() => compared.inputValue()).toMatch(/^[0-9a-f]{40}$/);
  await changes.getByText("of the agent").waitFor();

  await page.setViewportSize({ width: 390, height: 760 });
  await page.getByRole("navigation", { name: "Workspace" }).getByRole("link", { name: "Changes" }).click();
  await page.getByRole("button", { name: "Restore points" }).click();
  await turns.first().getByRole("button", { name: "Undo these changes" }).click();
  await dialog.getByText("Grove first saves the current files as a restore point").waitFor();
  await dialog.getByRole("button", { name: "Undo", exact: true }).click();
  await page.getByText("The files were restored.").waitFor();
  expect(await content()).toBe("mine\n");
  // The viewer keeps what is being read until the user asks for a newer version.
  await page.getByRole("button", { name: "Show latest changes" }).click();
  await page.getByRole("heading", { name: "No changes" }).waitFor();
  await page.getByText("The files are as they were at this restore point.").waitFor();

  // The undo is a turn of its own, which can be undone.
  await page.getByRole("button", { name: "Restore points" }).click();
  await turns.first().getByRole("button", { name: "Undo these changes" }).click();
  await dialog.getByRole("button", { name: "Undo", exact: true }).click();
  await expect.poll(content).toBe("mine\nof the agent\n");

  // A refusal names the next step.
  await page.setViewportSize({ width: 1_400, height: 900 });
  const busy = "sleep 1000";
  await runTool("start_agent_session", { workspaceId, prompt: busy });
  await page.getByRole("button", { name: "Restore points" }).click();
  await turns.first().getByRole("button", { name: "Restore the branch" }).click();
  journey.expectMessage(page, /412/);
  await dialog.getByRole("button", { name: "Restore the branch" }).click();
  await dialog.getByText("An agent is working in this workspace.").waitFor();
  expect(await content()).toBe("mine\nof the agent\n");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });

  await page.getByRole("link", { name: "Projects" }).click();
  await page.getByRole("link", { name: project.name }).first().click();
  const keeps = page.getByRole("checkbox", { name: "Keep restore points" });
  expect(await keeps.isChecked()).toBe(true);
  await keeps.click();
  await expect
    .poll(async () => (await client.project.get.query({ organizationId, id: project.id })).restorePoints)
    .toBe(false);
  expect(await runTool("make_point", { workspaceId })).toMatchObject({ point: null, off: "project" });
  const checks = page.getByRole("checkbox", { name: "Run the check script when an agent finishes" });
  expect(await checks.isChecked()).toBe(false);
  await checks.click();
  await expect
    .poll(async () => (await client.project.get.query({ organizationId, id: project.id })).gateOnFinish)
    .toBe(true);
});
