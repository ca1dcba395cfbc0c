import { expect, it } from "vitest";
import { useJourney } from "./testing/journey";
import { expectNarrowPages } from "./testing/narrow";
import { untilShown } from "./testing/terminal";
import { startWorkbench } from "./testing/workbench";

const journey = useJourney();

it("hands a task over: creates the workspace, starts the agent, and reports failures", async () => {
  const { page, client, organizationId, project, device, git, agent, machine } =
    await startWorkbench(journey);
  const { id, slug } = await client.task.create.mutate({
    organizationId,
    title: "echo one",
    description: "echo t''wo",
  });
  await git("branch", slug);
  const [organization] = await client.organization.list.query();
  await page.goto(`${journey.api.url}/o/${organization?.slug}/tasks/${slug}`);
  await page.getByRole("heading", { name: "echo one" }).waitFor();
  await page.getByRole("button", { name: "Hand over" }).press("Enter");
  const form = page.getByRole("dialog", { name: "Hand over to an agent" });
  await form.getByRole("option", { name: "shell", exact: true }).waitFor({ state: "attached" });
  expect(await form.getByLabel("Prompt").inputValue()).toBe("echo one\n\necho t''wo");
  await form.getByLabel("Prompt").press("End");
  await agent.end("SIGTERM");
  await form.getByText(/Keep this tab open/).waitFor();
  await form.getByRole("button", { name: "Hand over" }).press("Enter");
  await page.getByText("Waiting for the machine to come online. Keep this tab open until then.").waitFor();
  machine.run(["start"]);
  await page.getByText("Could not create the workspace.").waitFor();
  await page.getByRole("button", { name: "Use the existing branch" }).press("Enter");
  expect(await page.evaluate("document.activeElement?.id")).toBe("hand-over");
  await page.getByRole("link", { name: "Open its terminal" }).press("Enter");
  await untilShown(page, "two");
  const task = () => client.task.get.query({ organizationId, id });
  expect(await task()).toMatchObject({ status: "in_progress", branch: slug });
  const [workspace] = await client.workspace.list.query({ organizationId, projectId: project.id });
  expect(workspace?.config.branchName).toBe(slug);
  // The agent's page leads back to its task.
  await page.getByText("for echo one").getByRole("link", { name: "echo one" }).press("Enter");
  await page.getByRole("list", { name: "Agents" }).getByRole("link", { name: "echo one" }).waitFor();

  // The branch and its workspace exist now: a second agent works there.
  await page.getByRole("button", { name: "Dismiss" }).click();
  await page.keyboard.press("h");
  await expect.poll(() => form.getByLabel("Workspace").inputValue()).toBe(workspace?.id);
  await page.keyboard.press("Escape");

  // Every page has content now, and fits into a narrow window.
  const root = `/o/${organization?.slug}`;
  await expectNarrowPages(page, [
    [root, "Now"],
    [`${root}/tasks`, "Tasks"],
    [`${root}/tasks?view=list`, "Tasks"],
    [`${root}/agents`, "Agents"],
    [`${root}/agents/new`, "Start an agent"],
    [`${root}/workspaces`, "Workspaces"],
    [`${root}/workspaces/new`, "New workspace"],
    [`${root}/workspaces/${workspace?.id}`, workspace?.name ?? ""],
    [`${root}/workspaces/${workspace?.id}/diff`, workspace?.name ?? ""],
    [`${root}/projects`, "Projects"],
    [`${root}/projects/app`, "app"],
    [`${root}/projects/app?tab=tasks`, "app"],
    [`${root}/projects/app?tab=secrets`, "app"],
    [`${root}/devices`, "Devices"],
    [`${root}/devices/${device.id}`, "laptop"],
    [`${root}/devices/${device.id}?tab=agents`, "laptop"],
    [`${root}/devices/add`, "Add a device"],
    [`${root}/members`, "Members"],
    [`${root}/keys`, "API keys"],
    [`${root}/settings`, "Organization settings"],
    ["/account", "Your account"],
    ["/new-organization", "New organization"],
  ]);
});
