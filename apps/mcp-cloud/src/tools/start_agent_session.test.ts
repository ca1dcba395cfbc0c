import type { Tenant } from "@grove/test-api";
import { beforeAll, describe, expect, it } from "vitest";
import type { Script } from "../testing/device";
import { ask, newTenant, onlineDevice, orchard } from "../testing/tool";

let ada: Tenant;
beforeAll(async () => {
  ada = await newTenant();
});

const started = { sessionId: expect.any(String), agent: "claude", pid: 7 };
const create = (title: string, more: object = {}) =>
  ada.client.task.create.mutate({ organizationId: ada.organizationId, title, ...more });
const read = (id: string) => ada.client.task.get.query({ organizationId: ada.organizationId, id });

/** Begins the session and reports it to the cloud. */
const begin: Script = async ({ id: commandId, params }, device) => {
  const { id: sessionId } = await device.beginSession(`${params.workspaceId}`, commandId);
  return { result: { sessionId, agent: "claude", pid: 7 } };
};

/** A device with a workspace that runs this script. */
async function deviceWith(script: Script) {
  const { device, asked } = await onlineDevice(ada, script);
  return { device, asked, workspaceId: await device.makeWorkspace(ada.organizationId, orchard) };
}

it("starts an agent on a prompt", async () => {
  const { device, asked, workspaceId } = await deviceWith(begin);
  const answer = await ask(ada, "start_agent_session", { workspaceId, agent: "claude", prompt: "do it" });
  expect(answer.data).toEqual({ deviceId: device.id, ...started });
  expect(asked).toEqual([
    { tool: "start_agent_session", params: { workspaceId, agent: "claude", prompt: "do it" } },
  ]);
});

it("asks for a prompt or a task", async () => {
  expect((await ask(ada, "start_agent_session", { workspaceId: crypto.randomUUID() })).text).toBe(
    "invalid_input: Neither prompt nor taskId is given. Give a prompt, or the taskId of the task to work on (list_tasks).",
  );
});

describe("on a task", () => {
  it("uses its title and description as the prompt, sets it in progress and records the branch", async () => {
    const task = await create("Fix the login", { description: "It fails.\nAlways." });
    const { asked, workspaceId } = await deviceWith(begin);
    const { data } = await ask(ada, "start_agent_session", { workspaceId, taskId: task.slug });
    expect(asked.map(({ params }) => params)).toEqual([
      { workspaceId, prompt: "Fix the login\n\nIt fails.\nAlways.", taskId: task.id },
    ]);
    expect(data).toMatchObject({
      ...started,
      task: { id: task.id, slug: "fix-the-login", status: "in_progress", branch: "quiet-fern" },
    });
    expect(await read(task.id)).toMatchObject({
      status: "in_progress",
      branch: "quiet-fern",
      startedAt: expect.any(String),
    });
  });

  it("keeps a given prompt, and a status in which work has already started", async () => {
    const task = await create("In review", { status: "in_review" });
    const { asked, workspaceId } = await deviceWith(begin);
    const args = { workspaceId, taskId: task.id, prompt: "look again" };
    const { data } = await ask(ada, "start_agent_session", args);
    expect(asked).toMatchObject([{ params: { prompt: "look again", taskId: task.id } }]);
    expect(data).toMatchObject({ task: { status: "in_review", branch: "quiet-fern" } });
  });

  it("leaves it unchanged if the agent does not start, and starts none for a task that does not exist", async () => {
    const task = await create("Stays");
    const error = { reason: "no_such_agent", message: 'There is no agent "cluade".' };
    const { asked, workspaceId } = await deviceWith(() => ({ error }));
    const { text } = await ask(ada, "start_agent_session", { workspaceId, taskId: task.id, agent: "cluade" });
    expect(text).toMatch(/^no_such_agent: There is no agent "cluade"\./);
    expect(await read(task.id)).toEqual(task);
    const missing = await ask(ada, "start_agent_session", { workspaceId, taskId: "no-such-task" });
    expect(missing.text).toMatch(/^not_found: There is no task no-such-task\./);
    expect(asked).toHaveLength(1);
  });

  it("sets it in progress even if the session begins after the answer", async () => {
    const task = await create("Slowly");
    let openGate = () => {};
    const gate = new Promise<void>((resolve) => {
      openGate = resolve;
    });
    const { device, workspaceId } = await deviceWith(async (...given) => {
      await gate;
      return begin(...given);
    });
    const args = { workspaceId, taskId: task.id };
    const { data } = await ask(ada, "start_agent_session", args, { deadlineMs: 300 });
    await expect.poll(() => device.begun).toHaveLength(1);
    const [commandId] = device.begun;
    expect(data).toEqual({
      deviceId: device.id,
      // The device may or may not have reported the start by then.
      pending: {
        commandId,
        status: expect.any(String),
        progress: expect.stringContaining("start_agent_session"),
      },
    });
    expect(await read(task.id)).toEqual(task);
    openGate();
    await expect
      .poll(() => read(task.id))
      .toMatchObject({ status: "in_progress", branch: "quiet-fern", startedAt: expect.any(String) });
  });

  it("warns if the session runs but the task was deleted", async () => {
    const task = await create("Lost meanwhile");
    const { workspaceId } = await deviceWith(async (...given) => {
      const answer = await begin(...given);
      await ada.client.task.delete.mutate({ organizationId: ada.organizationId, id: task.id });
      return answer;
    });
    const { isError, data } = await ask(ada, "start_agent_session", { workspaceId, taskId: task.id });
    expect(isError).toBe(false);
    expect(data).toMatchObject({
      ...started,
      warnings: [
        expect.stringMatching(/^The session runs, but task lost-meanwhile could not be read: not_found/),
      ],
    });
  });
});
