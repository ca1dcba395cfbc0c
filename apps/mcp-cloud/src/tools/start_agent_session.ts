import { defineTool, ToolError } from "@grove/mcp";
import { id, line, type Task, text } from "@grove/schemas";
import * as z from "zod";
import type { ApiContext } from "../api/apiSession";
import { pending } from "../api/outcome";
import { optionalDeviceId, resolveDevice } from "../api/resolveDevice";
import { runOnDevice } from "../api/runOnDevice";
import { characters } from "../shared/characters";
import { readTask, taskId } from "../shared/tasks";

const MAX_PROMPT = 50_000;

export const startAgentSession = defineTool({
  name: "start_agent_session",
  title: "Start an agent session",
  description:
    "Starts a coding agent in a git worktree workspace, on a prompt or a task, which is set in progress. Use it to hand work over; follow it with wait_for_sessions.",
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  input: z.strictObject({
    deviceId: optionalDeviceId,
    workspaceId: id.describe("Where it works"),
    agent: line(100).optional().describe("A name from get_app_context. Default: the device's"),
    prompt: text(MAX_PROMPT)
      .min(1)
      .optional()
      .describe(`At most ${characters(MAX_PROMPT)}; required without taskId`),
    taskId: taskId.optional().describe("UUID or slug"),
  }),
  output: z.strictObject({
    deviceId: id,
    sessionId: id.optional(),
    agent: z.string().optional(),
    pid: z.number().int().optional(),
    task: z
      .strictObject({ id, slug: z.string(), status: z.string(), branch: z.string().nullable() })
      .optional(),
    /** Problems that do not keep the session from running. */
    warnings: z.array(z.string()).optional(),
    pending,
  }),
  async run({ deviceId: given, workspaceId, agent, prompt, taskId: reference }, context: ApiContext) {
    const task = reference === undefined ? undefined : await readTask(context, reference);
    const wanted = prompt ?? (task && promptOf(task));
    if (wanted === undefined) throw nothingToDo();
    const deviceId = await resolveDevice(context, given);
    const { result, pending } = await runOnDevice(context, deviceId, "start_agent_session", {
      workspaceId,
      agent,
      prompt: wanted,
      taskId: task?.id,
    });
    if (!result) return { deviceId, pending };
    return { deviceId, ...result, ...(task && (await readStartedTask(context, task))) };
  },
});

/** The task after the session's start. The session runs, so a failure here is a warning, not an error. */
async function readStartedTask(context: ApiContext, task: Task) {
  try {
    const { id, slug, status, branch } = await readTask(context, task.id);
    return { task: { id, slug, status, branch } };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return { warnings: [`The session runs, but task ${task.slug} could not be read: ${error.text}`] };
  }
}

const promptOf = ({ title, description }: Task): string =>
  (description ? `${title}\n\n${description}` : title).slice(0, MAX_PROMPT).toWellFormed();

const nothingToDo = () =>
  new ToolError(
    "invalid_input",
    "Neither prompt nor taskId is given",
    "Give a prompt, or the taskId of the task to work on (list_tasks).",
  );
