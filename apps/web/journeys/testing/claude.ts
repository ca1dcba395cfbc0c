import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "@grove/testing/browser";
import { type ScriptStep, scripted, writeScriptedClaude } from "@grove/testing/scriptedClaude";
import type { Journey } from "./journey";
import { startWorkbench } from "./workbench";

export const bash = (command: string, more: object = {}): ScriptStep => ({
  ask: { tool_name: "Bash", tool_input: { command }, ...more },
});

/** A workbench whose agent `claude` runs hooks like Claude Code, and does these steps. */
export async function startClaude(journey: Journey, ...steps: ScriptStep[]) {
  const workbench = await startWorkbench(journey);
  const { machine, client, organizationId, project, runTool } = workbench;
  const programs = join(machine.directory, "programs");
  await mkdir(programs);
  const program = await writeScriptedClaude(programs);
  const agents = { claude: { command: [program, "--", "{prompt}"] } };
  await writeFile(join(machine.directory, "home", "config.json"), JSON.stringify({ agents }), {
    mode: 0o600,
  });
  await runTool("create_workspace", { projectId: project.id, workspaces: [{ name: "sign-in" }] });
  const [workspace] = await client.workspace.list.query({ organizationId });
  await runTool("start_agent_session", {
    workspaceId: workspace?.id,
    agent: "claude",
    prompt: scripted(...steps),
  });
  const [session] = await client.agent.listSessions.query({ organizationId });
  const id = session?.id ?? "";
  await client.agent.renameSession.mutate({ organizationId, id, name: "Login" });
  const output = async () => (await client.agent.sessionTail.query({ organizationId, id })).output;
  return { ...workbench, id, output };
}

/** The card of a request with this text. */
export const card = (page: Page, text: string) =>
  page.getByRole("region", { name: "Requests of agents" }).getByRole("article").filter({ hasText: text });
