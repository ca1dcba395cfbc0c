import { appendFile, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Journey } from "../journeys/testing/journey";
import { startWorkbench } from "../journeys/testing/workbench";

const tasks = [
  { title: "Sign-in form remembers the address", status: "in_progress", priority: "high", labels: ["web"] },
  { title: "Retry a webhook that answers 503", status: "in_progress", priority: "urgent", labels: ["api"] },
  { title: "Search ignores accents", status: "in_review", priority: "medium", labels: ["api", "search"] },
  { title: "Keyboard moves cards between columns", status: "in_review", priority: "high", labels: ["web"] },
  { title: "Export a project's tasks as CSV", status: "todo", priority: "medium", labels: ["api"] },
  { title: "Mails follow the reader's language", status: "todo", priority: "low", labels: ["mail"] },
  { title: "Show how long a build waits in its queue", status: "todo", priority: "none", labels: ["web"] },
  { title: "Upgrade the linter", status: "backlog", priority: "low", labels: [] },
  { title: "Dark pictures in the manual", status: "backlog", priority: "none", labels: ["docs"] },
  { title: "Cache the list of branches", status: "done", priority: "medium", labels: ["api"] },
  { title: "Limit the size of an upload", status: "done", priority: "high", labels: ["api"] },
] as const;

const signIn = `export function rememberedAddress(): string {
  return localStorage.getItem("address") ?? "";
}

export function remember(address: string): void {
  if (address !== "") localStorage.setItem("address", address);
}
`;

const files = {
  "README.md": "# Orchard\n\nA shop for old kinds of apples.\n",
  "src/signIn.ts": `export function rememberedAddress(): string {\n  return "";\n}\n`,
  "src/search.ts": `export const fold = (text: string) => text.toLowerCase();\n`,
};

/** Sample data: a machine, a project, tasks, three workspaces, one with changes, and an agent that waits for input. */
export async function startTeam(journey: Journey) {
  const bench = await startWorkbench(journey);
  const { client, organizationId, machine, git, project, device } = bench;
  const repository = join(machine.directory, "app");
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(repository, file)), { recursive: true });
    await writeFile(join(repository, file), text);
  }
  await git("add", ".");
  await git("commit", "--quiet", "--message", "Begin the shop");
  await client.project.setSecret.mutate({
    organizationId,
    projectId: project.id,
    key: "API_TOKEN",
    value: "not a real one",
  });
  const me = await client.user.get.query();
  const made = [];
  for (const task of tasks)
    made.push(
      await client.task.create.mutate({
        organizationId,
        ...task,
        labels: [...task.labels],
        projectId: project.id,
        assigneeId: me.id,
        description:
          'The form asks for the address **each time**.\n\n- keep the last one\n- never the password\n\n```ts\nlocalStorage.setItem("address", address);\n```',
      }),
    );
  const command = await client.agent.execute.mutate({
    organizationId,
    deviceId: device.id,
    tool: "create_workspace",
    params: {
      projectId: project.id,
      workspaces: [{ name: "remember-address" }, { name: "retry-webhook" }, { name: "search-accents" }],
    },
    ifOffline: "queue",
  });
  if (command.status !== "succeeded") throw new Error(JSON.stringify(command.error));
  const workspaces = await client.workspace.list.query({ organizationId });
  const workspace = workspaces.find(({ name }) => name === "remember-address");
  if (!workspace) throw new Error("the workspace is not listed");
  const path = String(workspace.config.path);
  await writeFile(join(path, "src/signIn.ts"), signIn);
  await writeFile(join(path, "src/signIn.test.ts"), 'import { remember } from "./signIn";\n');
  await appendFile(join(path, "README.md"), "\nThe form remembers the last address.\n");
  const script = [
    "clear; git status --short --branch; git diff --stat",
    "read -p 'Allow the edit of src/signIn.ts? [y/n] ' answer",
  ].join("; ");
  const started = await client.agent.execute.mutate({
    organizationId,
    deviceId: device.id,
    tool: "start_agent_session",
    params: { workspaceId: workspace.id, agent: "shell", prompt: script, taskId: made[0]?.id },
  });
  if (started.status !== "succeeded") throw new Error(JSON.stringify(started.error));
  const [session] = await client.agent.listSessions.query({ organizationId });
  if (!session || !made[0]) throw new Error("no agent runs");
  const organizations = await client.organization.list.query();
  const root = `/o/${organizations.find(({ id }) => id === organizationId)?.slug}`;
  return { ...bench, root, task: made[0], workspace, session };
}
