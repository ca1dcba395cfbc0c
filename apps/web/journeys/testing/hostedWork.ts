import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gitHubToken, type HostedCheck } from "@grove/integrations/testing";
import { scripted, writeScriptedClaude } from "@grove/testing/scriptedClaude";
import { expect } from "vitest";
import { GitRepository } from "./gitRepository";
import type { Journey } from "./journey";
import type { useProviders } from "./providers";
import { startWorkbench } from "./workbench";

const mcpServer = fileURLToPath(new URL("../../../mcp-cloud/dist/main.js", import.meta.url));
const work = fileURLToPath(new URL("signInAgent.js", import.meta.url));

/** The work of each of the agent's turns. */
const TURNS = ["begin", "answerReview", "fixCheck"];

/**
 * A workbench whose repository is at a code host, with a task on which an agent works in the workspace `sign-in`. It
 * runs hooks like Claude Code, calls Grove's tools over stdio, and after each turn waits for the next prompt.
 * @param turns the function of `signInAgent.js` that each turn runs
 */
export async function startHostedWork(
  journey: Journey,
  providers: Awaited<ReturnType<typeof useProviders>>,
  turns = TURNS,
) {
  const name = `shop-${providers.hosted.length}`;
  const address = `${providers.gitHubUrl.replace("http:", "https:")}/acme/${name}.git`;
  const workbench = await startWorkbench(journey, {}, address);
  const { client, organizationId, userId, project, machine, git, runTool, apiKey } = workbench;
  const { directory } = machine;
  const remote = join(directory, "remote.git");
  await git("init", "--quiet", "--bare", "--initial-branch", "main", remote);
  // git goes to a directory instead of the code host, whose address stays that of the remote.
  await git("config", `url.${remote}.insteadOf`, address);
  await git("config", "user.name", "Ada");
  await git("config", "user.email", "ada@example.com");
  await git("push", "--quiet", "origin", "main");
  const hosted = new GitRepository("acme", name, remote);
  providers.hosted.push(hosted);
  const provider = { provider: "github", token: gitHubToken, baseUrl: providers.gitHubUrl } as const;
  await client.integration.connect.mutate({ organizationId, ...provider });

  const { id: webhookId } = await client.integration.codehost.createWebhook.mutate({
    organizationId,
    repoOwner: "acme",
    repoName: name,
    events: ["check_run"],
  });

  const programs = join(directory, "programs");
  await mkdir(programs);
  const program = await writeScriptedClaude(programs);
  const servers = join(programs, "servers.json");
  const env = { API_URL: journey.api.url, API_KEY: apiKey, LOG_LEVEL: "error" };
  const grove = { command: process.execPath, args: [mcpServer], env };
  const claude = { command: [program, "--mcp-config", servers, "--", "{prompt}"] };
  const secret = { mode: 0o600 };
  await writeFile(servers, JSON.stringify({ mcpServers: { grove } }), secret);
  await writeFile(join(directory, "home", "config.json"), JSON.stringify({ agents: { claude } }), secret);

  const fields = { title: "Sign in", projectId: project.id, assigneeId: userId };
  const task = await client.task.create.mutate({ organizationId, ...fields });
  const params = { projectId: project.id, workspaces: [{ name: "sign-in", branchName: "sign-in" }] };
  const { workspaces } = (await runTool("create_workspace", params)) as {
    workspaces: { id: string; path: string }[];
  };
  const [{ id: workspaceId, path } = { id: "", path: "" }] = workspaces;
  const steps = turns.flatMap((name, index) => [
    ...(index > 0 ? [{ prompt: true } as const] : []),
    { work: [work, name] as [string, string] },
    { hook: ["Stop"] as [string] },
  ]);
  const prompt = scripted(...steps);
  await runTool("start_agent_session", { workspaceId, taskId: task.id, agent: "claude", prompt });
  const [session] = await client.agent.listSessions.query({ organizationId });
  const id = session?.id ?? "";
  await client.agent.renameSession.mutate({ organizationId, id, name: "Login" });
  return {
    ...workbench,
    hosted,
    task,
    workspaceId,
    path,
    headOf: async (ref: string) => (await git("rev-parse", ref)).trim(),
    /** Sets the checks of a commit at the code host, which reports that by its webhook. */
    setChecks: async (head: string, checks: HostedCheck[]) => {
      hosted.checks.set(head, checks);
      const repository = { id: hosted.id, name, full_name: `acme/${name}`, owner: { login: "acme" } };
      const payload = { action: "completed", check_run: { head_sha: head }, repository };
      await providers.deliver(journey.api.url, webhookId, "check_run", payload);
    },
    /** The output of the agent's terminal. */
    output: async () => (await client.agent.sessionTail.query({ organizationId, id })).output,
    /** Ends the agent's thinking about a failed check. */
    letAgentGo: () => writeFile(join(directory, "go"), ""),
    untilTurnEnds: () =>
      expect
        .poll(async () => (await client.agent.getSession.query({ organizationId, id })).activity?.state)
        .toBe("done"),
  };
}
