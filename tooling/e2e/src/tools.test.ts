import { existsSync } from "node:fs";
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startMcpServer } from "@grove/testing/mcpClient";
import { succeed } from "@grove/testing/process";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, expect, it } from "vitest";
import * as z from "zod";
import { type Grove, startGrove } from "./support/grove";
import { createMachine, type Machine } from "./support/machine";
import { createRepository, type Repository } from "./support/repository";

/** A task from its creation to its end, with every tool of the cloud server on the way. */

let machine: Machine;
let running: Grove;
let repository: Repository;
let client: Client;
const called = new Set<string>();

beforeAll(async () => {
  machine = await createMachine();
  running = await startGrove(machine, "--port", "0");
  repository = await createRepository(machine, "orchard");
  await succeed([...running.announced.addProject, "orchard"], { env: machine.env, cwd: machine.root });
  const config = join(running.announced.groveHome, "config.json");
  // A coding agent for this test: it prints its prompt, asks for input, and writes the answer to a file.
  const script =
    'echo "asked: $0"; read -r answer; echo "$answer" > answer.txt; echo "noted: $answer"; read -r _';
  const agents = { tiny: { command: ["sh", "-c", script, "{prompt}"] } };
  await writeFile(config, JSON.stringify({ agents, defaultAgent: "tiny" }));
  await chmod(config, 0o600);
  client = await startMcpServer(running.announced.mcpServers.grove);
});

afterAll(async () => {
  await client?.close();
  await running?.stop();
  await machine.remove();
});

/** Calls a tool, which must not fail, and returns its result; the client checks that against the listed schema. */
async function call<Shape extends z.ZodRawShape>(
  name: string,
  args: Record<string, unknown>,
  shape: Shape,
): Promise<z.infer<z.ZodObject<Shape>>> {
  called.add(name);
  const result = (await client.callTool({ name, arguments: args })) as CallToolResult;
  if (result.isError) throw new Error(`${name}: ${JSON.stringify(result.content)}`);
  return z.object(shape).parse(result.structuredContent);
}

const text = z.string();

it("goes from a task to its end", async () => {
  // Reads what exists.
  const { deviceId } = running.local;
  const { devices } = await call("list_devices", {}, { devices: z.array(z.looseObject({ id: text })) });
  expect(devices).toMatchObject([{ id: deviceId, status: "online", canExecute: true }]);
  const context = await call("get_app_context", {}, { agents: z.array(z.looseObject({ name: text })) });
  expect(context.agents).toContainEqual(expect.objectContaining({ name: "tiny" }));
  const { projects } = await call("list_projects", {}, { projects: z.array(z.object({ id: text })) });
  const { members } = await call("list_members", {}, { members: z.array(z.object({ userId: text })) });
  const statuses = await call("list_task_statuses", {}, { default: text });

  // Makes a task, and a workspace for it.
  const title = "Water the trees";
  const task = await call("create_task", { title, assignee: "me" }, { id: text, slug: text, status: text });
  expect(task).toMatchObject({ slug: "water-the-trees", status: statuses.default });
  const shape = z.object({ id: text, name: text, branch: text, path: text });
  const { workspaces } = await call(
    "create_workspace",
    { deviceId, projectId: projects[0]?.id, workspaces: [{ branchName: "water" }, {}] },
    { workspaces: z.array(shape) },
  );
  const [workspace, spare] = z.tuple([shape, shape]).parse(workspaces);
  const updates = [{ workspaceId: workspace.id, name: "Watering" }];
  await call("update_workspace", { updates }, {});
  await call("switch_workspace", { name: "Watering" }, {});
  const listed = await call("list_workspaces", {}, { workspaces: z.array(z.looseObject({ id: text })) });
  expect(listed.workspaces).toContainEqual(
    expect.objectContaining({ id: workspace.id, name: "Watering", branch: "water", active: true }),
  );

  // Starts an agent that works on the task, asks, and gets an answer.
  const session = await call(
    "start_agent_session",
    { workspaceId: workspace.id, taskId: task.slug },
    { sessionId: text, agent: text, task: z.looseObject({ status: text }) },
  );
  expect(session).toMatchObject({ agent: "tiny", task: { status: "in_progress", branch: "water" } });
  const { sessionId } = session;
  const look = (waitMs = 0) =>
    call(
      "get_agent_session",
      { sessionId, waitMs },
      { status: text, output: text, screen: z.number().optional() },
    );
  const asked = await look(45_000);
  expect(asked).toMatchObject({
    status: "waiting_for_input",
    output: expect.stringContaining(`asked: ${title}`),
  });
  const answer = { sessionId, text: "every day\r", screen: asked.screen };
  const typed = await call("send_agent_input", answer, { output: text });
  if (!typed.output.includes("noted: every day"))
    await expect.poll(async () => (await look()).output).toContain("noted: every day");
  const details = await call(
    "get_workspace_details",
    { workspaceId: workspace.id },
    { changes: z.array(text), sessions: z.array(z.looseObject({ id: text })) },
  );
  expect(details).toMatchObject({ changes: ["?? answer.txt"], sessions: [{ id: sessionId }] });
  const review = { workspaceId: workspace.id };
  expect(await call("list_review_comments", review, { comments: z.array(z.unknown()) })).toEqual({
    comments: [],
  });
  const finished = await call("finish_task", { ...review, summary: "Watered daily." }, { branch: text });
  expect(finished).toEqual({ branch: "water" });
  await call("stop_agent_session", { sessionId }, {});
  await expect.poll(async () => (await look()).status).toBe("stopped");

  // The end: the task is done, and the worktrees are deleted. A worktree with unsaved changes is deleted only by force.
  const refused = (await client.callTool({
    name: "delete_workspace",
    arguments: { workspaceIds: [workspace.id] },
  })) as CallToolResult;
  expect(refused.isError).toBe(true);
  expect(existsSync(workspace.path)).toBe(true);
  await repository.git("config", "user.name", "Ada");
  await repository.git("config", "user.email", "ada@example.com");
  await call("commit_workspace", { ...review, message: "Water daily" }, {});
  await call("update_from_base", review, { updated: z.unknown() });
  const change = await call("get_change", review, { branch: text, work: z.looseObject({}) });
  expect(change).toMatchObject({ branch: "water", work: { uncommittedFiles: 0, ahead: 1, pushed: false } });
  const workspaceIds = [workspace.id, spare.id];
  await call("delete_workspace", { workspaceIds, force: true, deleteBranch: true }, {});
  expect([workspace, spare].filter(({ path }) => existsSync(path))).toEqual([]);
  expect(await repository.git("branch", "--list", "water")).toBe("");
  await call("update_task", { taskId: task.id, status: "done", clear: ["branch"] }, {});
  const done = await call(
    "list_tasks",
    { status: "completed", assignee: members[0]?.userId },
    { total: z.int() },
  );
  expect(done.total).toBe(1);
  expect(await call("get_task", { taskId: task.slug }, { statusType: text })).toEqual({
    statusType: "completed",
  });
  await call("delete_task", { taskId: task.slug }, { restorableUntil: text });

  // Every tool except those for commands that outlast a call, for agents that report their questions, for comments that
  // a person has sent, and for a remote and its code host.
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name).filter((name) => !called.has(name))).toEqual([
    "wait_for_sessions",
    "answer_agent_question",
    "answer_comment",
    "push_branch",
    "open_pull_request",
    "get_command",
    "cancel_command",
  ]);
});
