import { expect, it } from "vitest";
import type { Script } from "../testing/device";
import { anyId, ask, newTenant, onlineDevice, orchard } from "../testing/tool";

it("shows a session's status and the end of its output, as its terminal shows it", async () => {
  const ada = await newTenant();
  const { device } = await onlineDevice(ada, () => ({ result: null }));
  const { id, workspaceId, report } = await device.beginSession(
    await device.makeWorkspace(ada.organizationId, orchard),
  );
  await report({ type: "output", id, sequence: 1, data: "\x1b[1mWelcome\x1b[0m\r\n" });
  const get = async (args: object = {}) =>
    (await ask(ada, "get_agent_session", { sessionId: id, ...args })).data;
  expect(await get()).toEqual({
    sessionId: id,
    deviceId: device.id,
    workspaceId,
    taskId: null,
    agent: "claude",
    name: null,
    status: "running",
    exitCode: null,
    error: null,
    startedAt: expect.any(String),
    endedAt: null,
    // Without hooks, its state is a guess.
    state: "working",
    source: "screen",
    output: "Welcome",
    truncated: false,
  });
  await report({ type: "output", id, sequence: 2, data: `${"x".repeat(500)}May I? ` });
  await report({ type: "waiting", id, waitingForInput: true });
  expect(await get({ length: 100 })).toMatchObject({
    status: "waiting_for_input",
    waitingSource: "screen",
    state: "waiting",
    source: "screen",
    output: `${"x".repeat(94)}May I?`,
    truncated: true,
  });
  const error = { reason: "agent_missing", message: "There is no claude." };
  await report({ type: "end", id, status: "failed", exitCode: 127, error });
  expect(await get()).toMatchObject({
    status: "failed",
    exitCode: 127,
    error: "agent_missing: There is no claude.",
  });
  for (const field of ["waitingSource", "state", "source"]) expect(await get()).not.toHaveProperty(field);
});

it("reads the output before the end, part by part", async () => {
  const ada = await newTenant();
  let result: object | null = null;
  const { device, asked } = await onlineDevice(ada, () =>
    result ? { result } : { error: { reason: "no_such_session", message: "It has ended just now." } },
  );
  const { id, report } = await device.beginSession(await device.makeWorkspace(ada.organizationId, orchard));
  const lines = Array.from({ length: 60 }, (_, n) => `line ${n}`).join("\n");
  await report({ type: "output", id, sequence: 1, data: lines.replaceAll("\n", "\r\n") });
  const get = async (args: object) =>
    (await ask(ada, "get_agent_session", { sessionId: id, length: 200, ...args })).data;
  let text = "";
  let offset: unknown = 0;
  while (offset !== undefined) {
    const part: Record<string, unknown> | undefined = await get({ offset });
    expect(part?.truncated).toBe(part?.nextOffset !== undefined);
    text = `${part?.output}${text}`;
    offset = part?.nextOffset;
  }
  expect(text).toBe(lines);
  expect(await get({ offset: 100_000 })).toMatchObject({ output: "", truncated: false });

  result = { output: "x".repeat(200), truncated: true, screen: 3 };
  expect(await get({ offset: 300 })).toMatchObject({ ...result, nextOffset: 500 });
  expect(asked.at(-1)?.params).toEqual({ sessionId: id, length: 200, offset: 300, settleMs: 0 });
  // Lines that have scrolled off the kept output.
  result = { output: "first", truncated: true, screen: 3 };
  expect(await get({ offset: 500 })).not.toHaveProperty("nextOffset");
});

it("shows the terminal as the device reports it, otherwise as the cloud has it", async () => {
  const ada = await newTenant();
  const screen = { output: "Plan\n\nAllow? [y/n]", truncated: true, screen: 3 };
  let answer: Awaited<ReturnType<Script>> = { result: screen };
  const { device, asked } = await onlineDevice(ada, () => answer);
  const { id, report } = await device.beginSession(await device.makeWorkspace(ada.organizationId, orchard));
  await report({ type: "output", id, sequence: 1, data: "Plan" });
  const get = async () => (await ask(ada, "get_agent_session", { sessionId: id, length: 200 })).data;
  expect(await get()).toMatchObject(screen);
  expect(asked).toEqual([
    { tool: "get_agent_screen", params: { sessionId: id, length: 200, offset: 0, settleMs: 0 } },
  ]);
  answer = { error: { reason: "no_such_session", message: "It has ended just now." } };
  expect(await get()).toMatchObject({ output: "Plan", truncated: false });
  answer = { result: screen };
  const { organizationId, client } = ada;
  const reading = await client.apiKey.create.mutate({ organizationId, name: "reads", scopes: ["read"] });
  const seen = await ask({ ...ada, apiKey: reading.key }, "get_agent_session", { sessionId: id });
  expect(seen.data).toMatchObject(screen);
  device.disconnect();
  expect(await get()).toMatchObject({ output: "Plan", truncated: false });
});

it("shows the screen of a full-screen program in its own size, and not how it was drawn", async () => {
  const ada = await newTenant();
  const { device } = await onlineDevice(ada, () => ({ result: { success: true } }));
  const { id, report } = await device.beginSession(await device.makeWorkspace(ada.organizationId, orchard));
  const key = { organizationId: ada.organizationId, id };
  await ada.client.agent.resizeSession.mutate({ ...key, columns: 30, rows: 6 });
  const output = async () => (await ask(ada, "get_agent_session", { sessionId: id })).data?.output;
  const spinner = Array.from({ length: 5_000 }, (_, n) => `\x1b[2;1H${n} s \x1b[K`).join("");
  // The program draws its last row wherever the screen ends.
  const drawn = `\x1b[?1049h\x1b[2J\x1b[1;1H\x1b[7mPlan\x1b[0m${spinner}\x1b[999;5HAllow? [y/n]`;
  await report({ type: "output", id, sequence: 1, data: drawn.slice(0, 40_000) });
  await report({ type: "output", id, sequence: 2, data: drawn.slice(40_000) });
  expect(await output()).toBe("\n4999 s\n\n\n\n    Allow? [y/n]");
  // The next picture has begun, but is not finished.
  await report({ type: "output", id, sequence: 3, data: "\x1b[?2026h\x1b[2J\x1b[1;1HHalf" });
  expect(await output()).toBe("\n4999 s\n\n\n\n    Allow? [y/n]");
  await report({ type: "output", id, sequence: 4, data: " and half\x1b[?2026l" });
  expect(await output()).toBe("Half and half");
  await report({ type: "output", id, sequence: 5, data: "\x1b[?1049l$ " });
  expect(await output()).toBe("$");
});

it("finds no session that does not exist or is another organization's", async () => {
  const [ada, eve] = await Promise.all([newTenant("ada"), newTenant("eve")]);
  const { device } = await onlineDevice(eve, () => ({ result: null }));
  const { id } = await device.beginSession(await device.makeWorkspace(eve.organizationId, orchard));
  for (const sessionId of [id, anyId])
    expect((await ask(ada, "get_agent_session", { sessionId })).text).toMatch(
      new RegExp(`^not_found: There is no agent session ${sessionId}\\.`),
    );
});

it("waits until the agent waits for input, or has ended", async () => {
  const ada = await newTenant();
  const { device } = await onlineDevice(ada, () => ({
    result: { output: "Allow? ", truncated: false, screen: 3 },
  }));
  const { id, report } = await device.beginSession(await device.makeWorkspace(ada.organizationId, orchard));
  const wait = async () =>
    (await ask(ada, "get_agent_session", { sessionId: id, waitMs: 45_000 })).data?.status;
  const asking = wait();
  await report({ type: "output", id, sequence: 1, data: "thinking" });
  await report({ type: "waiting", id, waitingForInput: true });
  expect(await asking).toBe("waiting_for_input");
  await report({ type: "waiting", id, waitingForInput: false });
  const ending = wait();
  await report({ type: "end", id, status: "exited", exitCode: 0 });
  expect(await ending).toBe("exited");
});
