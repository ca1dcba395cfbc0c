import type { Tenant } from "@grove/test-api";
import { beforeAll, describe, expect, it } from "vitest";
import { anyId, ask, newTenant, onlineDevice, orchard } from "../testing/tool";

let ada: Tenant;
let workspaceId: string;
beforeAll(async () => {
  ada = await newTenant();
  const { organizationId, client } = ada;
  const project = await client.project.create.mutate({ organizationId, ...orchard });
  const workspace = await client.workspace.create.mutate({
    ...{ organizationId, projectId: project.id, name: "fern", type: "worktree" },
    config: { branchName: "quiet-fern" },
  });
  workspaceId = workspace.id;
});

const started = { sessionId: anyId, agent: "claude", pid: 7 };
const create = (title: string, more: object = {}) =>
  ada.client.task.create.mutate({ organizationId: ada.organizationId, title, ...more });

it("starts an agent on a prompt", async () => {
  const { device, asked } = await onlineDevice(ada, () => ({ result: started }));
  const answer = await ask(ada, "start_agent_session", { workspaceId, agent: "claude", prompt: "do it" });
  expect(answer.data).toEqual({ deviceId: device.id, ...started });
  expect(asked).toEqual([
    { tool: "start_agent_session", params: { workspaceId, agent: "claude", prompt: "do it" } },
  ]);
});

it("asks for a prompt or a task", async () => {
  expect((await ask(ada, "start_agent_session", { workspaceId })).text).toBe(
    "invalid_input: Neither prompt nor taskId is given. Give a prompt, or the taskId of the task to work on (list_tasks).",
  );
});

describe("on a task", () => {
  it("takes its title and description for the prompt, sets it in progress and records the branch", async () => {
    const task = await create("Fix the login", { description: "It fails.\nAlways." });
    const { asked } = await onlineDevice(ada, () => ({ result: started }));
    const { data } = await ask(ada, "start_agent_session", { workspaceId, taskId: task.slug });
    expect(asked.map(({ params }) => params)).toEqual([
      { workspaceId, prompt: "Fix the login\n\nIt fails.\nAlways.", taskId: task.id },
    ]);
    expect(data).toMatchObject({
      ...started,
      task: { id: task.id, slug: "fix-the-login", status: "in_progress", branch: "quiet-fern" },
    });
    const { organizationId } = ada;
    expect(await ada.client.task.get.query({ organizationId, id: task.id })).toMatchObject({
      ...{ status: "in_progress", branch: "quiet-fern", startedAt: expect.any(String) },
    });
  });

  it("keeps the prompt that is given, and a status in which work has started already", async () => {
    const task = await create("In review", { status: "in_review" });
    const { asked } = await onlineDevice(ada, () => ({ result: started }));
    const args = { workspaceId, taskId: task.id, prompt: "look again" };
    const { data } = await ask(ada, "start_agent_session", args);
    expect(asked).toMatchObject([{ params: { prompt: "look again", taskId: task.id } }]);
    expect(data).toMatchObject({ task: { status: "in_review", branch: "quiet-fern" } });
  });

  it("leaves it as it is when the agent does not start, and does not start one for a task that is not there", async () => {
    const task = await create("Stays");
    const error = { reason: "no_such_agent", message: 'There is no agent "cluade".' };
    const { asked } = await onlineDevice(ada, () => ({ error }));
    const { text } = await ask(ada, "start_agent_session", { workspaceId, taskId: task.id, agent: "cluade" });
    expect(text).toMatch(/^no_such_agent: There is no agent "cluade"\./);
    const { organizationId } = ada;
    expect(await ada.client.task.get.query({ organizationId, id: task.id })).toEqual(task);
    const missing = await ask(ada, "start_agent_session", { workspaceId, taskId: "no-such-task" });
    expect(missing.text).toMatch(/^not_found: There is no task no-such-task\./);
    expect(asked).toHaveLength(1);
  });

  it("says so when the session runs and the task could not be set in progress", async () => {
    const task = await create("Lost meanwhile");
    const { organizationId } = ada;
    await onlineDevice(ada, async () => {
      await ada.client.task.delete.mutate({ organizationId, id: task.id });
      return { result: started };
    });
    const { isError, data } = await ask(ada, "start_agent_session", { workspaceId, taskId: task.id });
    expect(isError).toBe(false);
    expect(data).toMatchObject({
      ...started,
      warnings: [
        expect.stringMatching(
          /^The session runs, but task lost-meanwhile was not set in progress: not_found/,
        ),
      ],
    });
  });
});
