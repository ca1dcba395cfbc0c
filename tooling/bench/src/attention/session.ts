import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { succeed } from "@grove/testing/process";
import { scripted, writeScriptedClaude } from "@grove/testing/scriptedClaude";
import { until } from "@grove/testing/until";
import { type Grove, startAgent } from "../grove";
import { builtProgram, cleanEnvironment, temporaryDirectory } from "../programs";
import type { Scope } from "../scope";
import { hooksOf, type RunHook } from "./hook";

/** Makes a repository with one commit, and adds it to the device's projects. Returns the project's id. */
async function addProject(home: string, variables: Record<string, string>): Promise<string> {
  const path = join(home, "repository");
  const env = cleanEnvironment(variables);
  mkdirSync(path);
  const git = (...args: string[]) =>
    succeed(["git", "-c", "user.name=bench", "-c", "user.email=bench@example.com", ...args], {
      env,
      cwd: path,
    });
  await git("init", "--quiet", "--initial-branch", "main");
  await git("commit", "--quiet", "--allow-empty", "--message", "Begin");
  const device = [process.execPath, builtProgram("device")];
  const json = await succeed([...device, "project", "add", "--json", path], { env });
  return JSON.parse(json).id;
}

/**
 * Starts a device agent with a session of a scripted Claude Code, which stays at its prompt.
 * @returns a function that runs the hook of an event, as the session's agent does
 */
export async function startSession(scope: Scope, grove: Grove): Promise<RunHook> {
  const home = temporaryDirectory(scope);
  const agentDirectory = temporaryDirectory(scope);
  const command = [await writeScriptedClaude(agentDirectory), "--", "{prompt}"];
  writeFileSync(join(home, "config.json"), JSON.stringify({ agents: { claude: { command } } }), {
    mode: 0o600,
  });
  const { id: deviceId, variables } = await startAgent(scope, grove, home);
  const projectId = await addProject(home, variables);
  const { client, organizationId } = grove;
  const run = async (tool: "create_workspace" | "start_agent_session", params: Record<string, unknown>) => {
    const { result, error } = await client.agent.execute.mutate({ organizationId, deviceId, tool, params });
    if (error) throw new Error(`${tool} failed: ${error.message}`);
    return result as { workspaces: { id: string }[]; sessionId: string };
  };
  const { workspaces } = await run("create_workspace", { projectId, workspaces: [{ name: "bench" }] });
  const file = join(agentDirectory, "process.json");
  const { sessionId: id } = await run("start_agent_session", {
    workspaceId: workspaces[0]?.id,
    agent: "claude",
    prompt: scripted({ saveProcess: file }, { hook: ["Stop"] }),
  });
  await until(async () => {
    const { activity } = await client.agent.getSession.query({ organizationId, id });
    return activity?.state === "done";
  }, "the agent is at its prompt");
  return hooksOf(JSON.parse(readFileSync(file, "utf8")));
}
