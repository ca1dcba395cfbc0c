import { expect, it } from "vitest";
import { anyId, ask, newTenant, onlineDevice, orchard } from "../testing/tool";

it("shows how a session stands and the end of its output, as text", async () => {
  const ada = await newTenant();
  const { device } = await onlineDevice(ada, () => ({ result: null }));
  const { id, workspaceId, report } = await device.beginSession(
    await device.makeWorkspace(ada.organizationId, orchard),
  );
  await report({ type: "output", id, sequence: 1, data: "\u001b[1mWelcome\u001b[0m\r\n" });
  const get = async (args: object = {}) =>
    (await ask(ada, "get_agent_session", { sessionId: id, ...args })).data;
  expect(await get()).toEqual({
    ...{ sessionId: id, deviceId: device.id, workspaceId, taskId: null, agent: "claude" },
    ...{ status: "running", exitCode: null, error: null, startedAt: expect.any(String), endedAt: null },
    ...{ output: "Welcome\n", truncated: false },
  });
  await report({ type: "output", id, sequence: 2, data: `${"x".repeat(500)}May I? ` });
  await report({ type: "waiting", id, waitingForInput: true });
  expect(await get({ length: 100 })).toMatchObject({
    ...{ status: "waiting_for_input", output: `${"x".repeat(93)}May I? `, truncated: true },
  });
  const error = { reason: "agent_missing", message: "There is no claude." };
  await report({ type: "end", id, status: "failed", exitCode: 127, error });
  expect(await get()).toMatchObject({
    ...{ status: "failed", exitCode: 127, error: "agent_missing: There is no claude." },
  });
});

it("knows no session that is not there, or another organization's", async () => {
  const [ada, eve] = await Promise.all([newTenant("ada"), newTenant("eve")]);
  const { device } = await onlineDevice(eve, () => ({ result: null }));
  const { id } = await device.beginSession(await device.makeWorkspace(eve.organizationId, orchard));
  for (const sessionId of [id, anyId])
    expect((await ask(ada, "get_agent_session", { sessionId })).text).toMatch(
      new RegExp(`^not_found: There is no agent session ${sessionId}\\.`),
    );
});
