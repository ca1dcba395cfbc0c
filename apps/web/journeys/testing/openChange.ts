import { appendFile, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { gitHubToken } from "@grove/integrations/testing";
import { GitRepository } from "./gitRepository";
import type { Journey } from "./journey";
import type { useProviders } from "./providers";
import { startWorkbench } from "./workbench";

interface Names {
  project: string;
  workspace: string;
  branch: string;
  task: string;
  file: string;
}

const code = `export function rememberedAddress(): string {
  return localStorage.getItem("address") ?? "";
}
`;

/**
 * A workspace with a pull request, of which a check has failed, and in which the check script fails. A file is
 * uncommitted, and two comments are not sent. Ends on the page of the changes.
 */
export async function startOpenChange(
  journey: Journey,
  providers: Awaited<ReturnType<typeof useProviders>>,
  names: Names,
) {
  const origin = `${providers.gitHubUrl.replace("http:", "https:")}/acme/orchard.git`;
  const workbench = await startWorkbench(journey, {}, origin);
  const { page, client, organizationId, userId, project, machine, git, runTool } = workbench;
  const remote = join(machine.directory, "remote.git");
  const repository = join(machine.directory, "app");
  await git("init", "--quiet", "--bare", "--initial-branch", "main", remote);
  await git("config", `url.${remote}.insteadOf`, origin);
  await git("config", "user.name", "Ada");
  await git("config", "user.email", "ada@example.com");
  await mkdir(join(repository, ".grove"));
  await writeFile(
    join(repository, ".grove", "check"),
    "echo '1 test failed: remembers the address'\nexit 1\n",
  );
  await git("add", ".grove");
  await git("commit", "--quiet", "--message", "Check");
  await git("push", "--quiet", "origin", "main");
  const config = join(machine.directory, "home", "config.json");
  const agents = {
    shell: { command: ["bash", "--norc", "--noprofile"], prompt: "typed", env: { PS1: "$ " } },
  };
  await writeFile(config, JSON.stringify({ agents, defaultAgent: "shell", allowRepositoryScripts: true }));
  const hosted = new GitRepository("acme", "orchard", remote);
  providers.hosted.push(hosted);
  const provider = { provider: "github", token: gitHubToken, baseUrl: providers.gitHubUrl } as const;
  await client.integration.connect.mutate({ organizationId, ...provider });

  await client.project.update.mutate({ organizationId, id: project.id, name: names.project });
  const fields = { title: names.task, projectId: project.id, assigneeId: userId };
  const task = await client.task.create.mutate({ organizationId, ...fields });
  const workspaces = [{ name: names.workspace, branchName: names.branch }];
  await runTool("create_workspace", { projectId: project.id, workspaces });
  const [workspace] = await client.workspace.list.query({ organizationId });
  const workspaceId = workspace?.id ?? "";
  await runTool("start_agent_session", { workspaceId, taskId: task.id, prompt: "clear" });
  const [session] = await client.agent.listSessions.query({ organizationId });
  const file = join(String(workspace?.config.path), names.file);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, code);
  const { change } = client.workspace;
  await change.commit.mutate({ organizationId, workspaceId, message: names.task });
  const head = (await git("rev-parse", names.branch)).trim();
  await change.push.mutate({ organizationId, workspaceId, expectHead: head });
  const log = "Run npm test\nexpected '' to be 'ada@example.com'\n";
  hosted.checks.set(head, [
    { name: "test", word: "failure", required: true, log },
    { name: "lint", word: "success", required: false },
  ]);
  const [made] = await change.list.query({ organizationId, workspaceId });
  await change.openPull.mutate({ organizationId, changeId: made?.id ?? "", title: names.task });
  await appendFile(file, "\nexport const forget = () => localStorage.clear();\n");

  const [organization] = await client.organization.list.query();
  const root = `/o/${organization?.slug}`;
  const changes = `${root}/workspaces/${workspaceId}?only=changes`;
  await page.goto(journey.api.url + changes);
  const region = page.getByRole("region", { name: "Changes" });
  await region.getByText("rememberedAddress").first().waitFor();
  const review = page.getByRole("region", { name: "Review" });
  for (const [key, text] of [
    ["C", "Split this file, so that the form does not load it."],
    ["c", "What if the browser refuses to store it?"],
  ] as const) {
    if (key === "c") await page.keyboard.press("Shift+ArrowDown");
    await page.keyboard.press(key);
    await review.getByRole("textbox").fill(text);
    await review.getByText("Draft saved").waitFor();
    await page.keyboard.press("Escape");
    await review.getByRole("listitem").filter({ hasText: text }).waitFor();
  }
  /** Runs the check script. The page shows the result until it is left. */
  const runGate = async () => {
    await page.getByRole("button", { name: "Run the check script" }).click();
    await page.getByText("Check script failed", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Show output" }).click();
    await page.getByText("1 test failed").waitFor();
  };
  return { ...workbench, runGate, root, changes, task, workspaceId, sessionId: session?.id ?? "" };
}
