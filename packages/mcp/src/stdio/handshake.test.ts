import { once } from "node:events";
import { PassThrough } from "node:stream";
import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import { fixtureServer } from "../fixture";
import { serveWithSdk } from "../sdk";
import { answerHandshake, type Era } from "./handshake";
import { Wire } from "./wire";

const clientInfo = { name: "test", version: "1" };
const message = (id: number | string, method: string, params?: object) =>
  ({ jsonrpc: "2.0", id, method, ...(params && { params }) }) as JSONRPCMessage;
const initialize = (protocolVersion: string, more: object = {}) =>
  message(1, "initialize", { protocolVersion, capabilities: {}, clientInfo, ...more });
const initialized = { jsonrpc: "2.0", method: "notifications/initialized" } as JSONRPCMessage;
const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": clientInfo,
  "io.modelcontextprotocol/clientCapabilities": {},
};
const newer = (id: number | string, method: string, more: object = {}) =>
  message(id, method, { _meta: { ...meta, ...more } });

/** Answers messages as the start does; undefined for a message that the SDK must answer. */
function answerAll(messages: readonly JSONRPCMessage[]) {
  let era: Era;
  return messages.map((each) => {
    const answered = answerHandshake(fixtureServer({ words: [] }).introduction, each, era);
    era = answered?.era ?? era;
    return answered?.send;
  });
}

/** Answers of the SDK to the same messages, in the same order. */
async function answersOfSdk(messages: readonly JSONRPCMessage[]) {
  const out = new PassThrough();
  const deliver = serveWithSdk(fixtureServer({ words: [] }), new Wire(new PassThrough(), out), []);
  const answers: unknown[] = [];
  for (const each of messages) {
    const line = once(out, "data");
    deliver(each);
    answers.push(JSON.parse(String((await line)[0])));
  }
  return answers;
}

describe("the first messages", () => {
  it.each([
    [
      "2025-11-25",
      [initialize("2025-11-25"), initialized, message("a", "ping"), message(3, "tools/list", {})],
    ],
    ["2025-06-18", [initialize("2025-06-18"), message(2, "tools/list")]],
    ["2025-03-26", [initialize("2025-03-26", { _meta: { progressToken: 1 } }), initialized]],
    ["2026-07-28", [newer(1, "server/discover"), newer("b", "tools/list")]],
    ["2026-07-28 without discovery", [newer(1, "tools/list"), newer(2, "server/discover")]],
  ])("of %s are answered as the SDK answers them", async (_, messages) => {
    const answers = answerAll(messages);
    expect(answers).not.toContain(undefined);
    expect(answers).toEqual(await answersOfSdk(messages));
  });

  const older = [initialize("2025-11-25")];
  it.each([
    ["an unknown revision", [], initialize("2024-01-01")],
    ["a client without a name", [], initialize("2025-11-25", { clientInfo: {} })],
    ["tools/list before initialize", [], message(1, "tools/list")],
    ["a second initialize", older, initialize("2025-11-25")],
    ["a page of tools", older, message(2, "tools/list", { cursor: "x" })],
    ["a call", older, message(2, "tools/call", { name: "echo" })],
    ["another notification", older, { jsonrpc: "2.0", method: "notifications/cancelled" }],
    ["params that are a list", older, { jsonrpc: "2.0", id: 2, method: "ping", params: [] }],
    ["an id that is none", older, { jsonrpc: "2.0", id: null, method: "ping" }],
    ["a response", older, { jsonrpc: "2.0", id: 2, result: {} }],
    ["the newer era after the older", older, newer(2, "tools/list")],
    ["the older era after the newer", [newer(1, "tools/list")], initialize("2025-11-25")],
    ["ping in the newer era", [], newer(1, "ping")],
    [
      "a revision yet to come",
      [],
      newer(1, "tools/list", { "io.modelcontextprotocol/protocolVersion": "2027-01-01" }),
    ],
    [
      "a request with a log level",
      [],
      newer(1, "tools/list", { "io.modelcontextprotocol/logLevel": "info" }),
    ],
    [
      "an envelope without capabilities",
      [],
      newer(1, "tools/list", { "io.modelcontextprotocol/clientCapabilities": 1 }),
    ],
  ])("leave %s to the SDK", (_, before, unusual) => {
    expect(answerAll([...before, unusual as JSONRPCMessage]).at(-1)).toBeUndefined();
  });
});

describe("the messages that follow", () => {
  it("find the SDK in the state that the first ones have made, which it does not answer again", async () => {
    const out = new PassThrough();
    const lines: { id?: number; result?: object; error?: object }[] = [];
    out.on("data", (line) => lines.push(JSON.parse(String(line))));
    const answered = [initialize("2025-11-25"), initialized, message(2, "tools/list")];
    const deliver = serveWithSdk(fixtureServer({ words: [] }), new Wire(new PassThrough(), out), answered);
    deliver(message(3, "tools/call", { name: "echo", arguments: { word: "hi" } }));
    deliver(newer(4, "server/discover"));
    await expect.poll(() => lines.map(({ id }) => id).toSorted()).toEqual([3, 4]);
    expect(lines.find(({ id }) => id === 3)).toMatchObject({
      result: { structuredContent: { words: ["hi"] } },
    });
    expect(lines.find(({ id }) => id === 4)).toMatchObject({ error: { code: -32601 } });
  });
});
