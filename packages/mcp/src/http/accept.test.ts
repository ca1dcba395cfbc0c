import { request } from "node:http";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { start } from "./testing";

const messageOf = (method: string, params: object = {}) =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
const initialize = messageOf("initialize", {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "raw", version: "1" },
});
const echo = messageOf("tools/call", { name: "echo", arguments: { word: "hi" } });

/** Posts without the headers that fetch adds. */
async function post(url: string, body: string, given: Record<string, string>) {
  const headers = { "content-type": "application/json", authorization: "Bearer ada", ...given };
  return new Promise<{ status: number; type: string; id: string; body: string }>((resolve, reject) => {
    const sent = request(url, { method: "POST", headers }, (response) => {
      const [type, id] = ["content-type", "mcp-session-id"].map((name) =>
        String(response.headers[name] ?? ""),
      );
      text(response).then(
        (answer) =>
          resolve({ status: response.statusCode ?? 0, type: type ?? "", id: id ?? "", body: answer }),
        reject,
      );
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

const forms = [
  ["application/json", "application/json"],
  ["application/*", "application/json"],
  ["application/json;q=0.9, text/event-stream;q=0", "application/json"],
  ["text/event-stream", "text/event-stream"],
  ["text/*", "text/event-stream"],
  ["*/*", "text/event-stream"],
  ["Application/JSON, Text/Event-Stream", "text/event-stream"],
  [undefined, "text/event-stream"],
] as const;

describe("a client of the older era that accepts", () => {
  it.each(forms)("%s is answered with %s", async (accept, type) => {
    const { url } = await start();
    const headers: Record<string, string> = accept === undefined ? {} : { accept };
    const opened = await post(url, initialize, headers);
    expect([opened.status, opened.type.split(";")[0]]).toEqual([200, type]);
    expect(opened.body).toContain('"protocolVersion":"2025-11-25"');
    const answer = await post(url, echo, { ...headers, "mcp-session-id": opened.id });
    expect([answer.status, answer.type.split(";")[0]]).toEqual([200, type]);
    const json = type === "application/json" ? answer.body : (/^data: (.*)$/m.exec(answer.body)?.[1] ?? "");
    expect(JSON.parse(json)).toMatchObject({ id: 1, result: { structuredContent: { words: ["hi"] } } });
    const notified = JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" });
    expect((await post(url, notified, { ...headers, "mcp-session-id": opened.id })).status).toBe(202);
  });

  it("neither form is refused", async () => {
    const { url } = await start();
    expect((await post(url, initialize, { accept: "text/html" })).status).toBe(406);
  });
});

describe("initialize", () => {
  const accept = "application/json";

  it("begins another session with the id of one that is over, of another caller, or that is open", async () => {
    const { url } = await start();
    const open = await post(url, initialize, { accept });
    const eves = await post(url, initialize, { accept, authorization: "Bearer eve" });
    for (const id of [crypto.randomUUID(), eves.id, open.id]) {
      const answer = await post(url, initialize, { accept, "mcp-session-id": id });
      expect(answer.status).toBe(200);
      expect(answer.id).not.toBe(id);
      expect((await post(url, echo, { accept, "mcp-session-id": answer.id })).status).toBe(200);
    }
    expect((await post(url, echo, { accept, "mcp-session-id": open.id })).status).toBe(200);
  });

  it("is the only request that begins a session with such an id", async () => {
    const { url } = await start();
    const answer = await post(url, echo, { accept, "mcp-session-id": crypto.randomUUID() });
    expect([answer.status, JSON.parse(answer.body)]).toMatchObject([404, { error: { code: -32001 } }]);
  });
});
