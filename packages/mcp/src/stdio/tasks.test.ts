import { PassThrough } from "node:stream";
import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { expect, it, onTestFinished } from "vitest";
import { fixtureServer } from "../fixture";
import { createLogger } from "../log";
import { serveWithSdk } from "../sdk";
import { Wire } from "./wire";

interface Result {
  readonly resultType: string;
  readonly taskId: string;
  readonly status: string;
  readonly [field: string]: unknown;
}

/** Connects a client of the newer era. By default, it supports tasks. */
function connect(extensions: object = { "io.modelcontextprotocol/tasks": {} }) {
  const words: string[] = [];
  const server = fixtureServer({ words }, createLogger("silent"));
  onTestFinished(() => server.close());
  const out = new PassThrough();
  const waiting = new Map<number, (answer: { result: Result; error: { code: number } }) => void>();
  const notified: object[] = [];
  out.on("data", (line) => {
    const answer = JSON.parse(String(line));
    if ("id" in answer) waiting.get(answer.id)?.(answer);
    else notified.push(answer);
  });
  const deliver = serveWithSdk(server, new Wire(new PassThrough(), out), []);
  let last = 0;
  const ask = (method: string, params: object, progressToken?: number) => {
    const id = ++last;
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": { extensions },
      ...(progressToken !== undefined && { progressToken }),
    };
    const answer = new Promise<{ result: Result; error: { code: number } }>((resolve) => {
      waiting.set(id, resolve);
    });
    deliver({ jsonrpc: "2.0", id, method, params: { ...params, _meta } } as JSONRPCMessage);
    return answer;
  };
  const call = async (name: string, args: object = {}) =>
    (await ask("tools/call", { name, arguments: args }, 1)).result;
  const get = async (taskId: string) => (await ask("tasks/get", { taskId })).result;
  return { words, server, notified, ask, call, get };
}

it("makes a task of a call that reports progress, and cancels it", async () => {
  const { call, get, ask, words, notified } = connect();
  const created = await call("wait");
  expect(created).toMatchObject({
    resultType: "task",
    status: "working",
    statusMessage: "first",
    ttlMs: expect.any(Number),
    pollIntervalMs: expect.any(Number),
    createdAt: expect.any(String),
  });
  const { taskId } = created;
  expect(await get(taskId)).toMatchObject({
    resultType: "complete",
    status: "working",
    statusMessage: "third",
  });
  expect((await ask("tasks/update", { taskId, inputResponses: {} })).result.resultType).toBe("complete");
  expect((await ask("tasks/cancel", { taskId })).result.resultType).toBe("complete");
  await expect.poll(() => get(taskId)).toMatchObject({ status: "cancelled" });
  expect(words).toEqual(["aborted"]);
  expect(notified).toEqual([]);
});

it("keeps what a task has answered", async () => {
  const { call, get, server } = connect();
  const { taskId } = await call("wait");
  // Ends the call with an answer, as any end of the work would.
  await server.close();
  await expect
    .poll(() => get(taskId))
    .toMatchObject({
      status: "completed",
      result: {
        resultType: "complete",
        isError: true,
        content: [{ text: expect.stringContaining("server_stopped") }],
      },
    });
});

it("answers a call that is over soon without a task", async () => {
  const { call } = connect();
  expect(await call("echo", { word: "hi" })).toMatchObject({
    resultType: "complete",
    structuredContent: { words: ["hi"] },
  });
});

it("makes no task for a client that does not know tasks", async () => {
  const { call, server, notified } = connect({});
  const answer = call("wait");
  await expect.poll(() => notified).toHaveLength(3);
  await server.close();
  expect(await answer).toMatchObject({ resultType: "complete", isError: true });
});

it.each(["tasks/get", "tasks/cancel", "tasks/update"])("refuses %s of an unknown task", async (method) => {
  expect((await connect().ask(method, { taskId: "x" })).error.code).toBe(-32602);
});
