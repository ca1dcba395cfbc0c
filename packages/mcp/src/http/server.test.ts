import { once } from "node:events";
import { request } from "node:http";
import { text } from "node:stream/consumers";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { describe, expect, it, onTestFinished } from "vitest";
import { AuthenticationRequired, ToolError } from "../errors";
import { defaultLimits } from "./sessions";
import { everybody, start } from "./testing";

const unreachable = () =>
  Promise.reject(new ToolError("unreachable", "The server did not respond", "Start it."));

async function connect(url: string, credential?: string) {
  const headers: Record<string, string> =
    credential === undefined ? {} : { authorization: `Bearer ${credential}` };
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport);
  onTestFinished(() => client.close());
  const id = transport.sessionId ?? "";
  return {
    client,
    transport,
    id,
    echo: (word: string) => client.callTool({ name: "echo", arguments: { word } }),
  };
}

const accept = "application/json, text/event-stream";
const json = { "content-type": "application/json", accept };
const ping = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });
const initialize = JSON.stringify({
  ...{ jsonrpc: "2.0", id: 1, method: "initialize" },
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
});
const post = (url: string, headers: Record<string, string>, body = ping) =>
  fetch(url, { method: "POST", headers: { ...json, ...headers }, body });

describe("over HTTP", () => {
  it("serves the SDK's own client and keeps credentials apart", async () => {
    const { url, words } = await start();
    const [ada, bob] = await Promise.all([connect(url, "ada"), connect(url, "bob")]);
    expect((await ada.client.listTools()).tools).toHaveLength(4);
    expect((await ada.echo("one")).structuredContent).toMatchObject({ words: ["one"] });
    await Promise.all([bob.echo("two"), ada.echo("three")]);
    expect([...words]).toEqual([
      ["ada", ["one", "three"]],
      ["bob", ["two"]],
    ]);
  });

  it("refuses requests without a credential, and makes no room for them", async () => {
    const { url } = await start({ limits: { ...defaultLimits, max: 1 } });
    const ada = await connect(url, "ada");
    for (const body of [initialize, ping]) {
      const refused = await post(url, {}, body);
      expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
    }
    await ada.client.ping();
  });

  it("opens no session for a refused credential, and looks an accepted one up once", async () => {
    const asked: string[] = [];
    const admit = async (credential: string) => {
      asked.push(credential);
      if (credential === "eve") throw new AuthenticationRequired();
    };
    const { url } = await start({ admit, limits: { ...defaultLimits, max: 1 } });
    const ada = await connect(url, "ada");
    await ada.client.ping();
    const refused = await post(url, { authorization: "Bearer eve" }, initialize);
    expect([refused.status, refused.headers.get("www-authenticate"), await refused.json()]).toEqual([
      401,
      'Bearer error="invalid_token"',
      { jsonrpc: "2.0", error: { code: -32000, message: "Authentication required" }, id: null },
    ]);
    await expect(connect(url, "eve")).rejects.toThrow("Authentication required");
    await ada.client.ping();
    expect(asked).toEqual(["ada", "eve", "eve"]);
  });

  it("opens a session when the credential cannot be checked, and its tools report why they cannot work", async () => {
    const { url } = await start({ admit: unreachable });
    const { client, echo } = await connect(url, "ada");
    expect((await client.listTools()).tools).toHaveLength(4);
    expect((await echo("one")).content).toEqual([
      { type: "text", text: "unreachable: The server did not respond. Start it." },
    ]);
  });

  it("ends no session for a request that opens none", async () => {
    const { url } = await start({ limits: { ...defaultLimits, max: 1 } });
    const ada = await connect(url, "ada");
    expect((await post(url, { authorization: "Bearer eve" }, ping)).status).toBe(400);
    await ada.client.ping();
  });

  it("limits each owner to a share, and ends sessions with a proven credential last", async () => {
    const admit = (who: string) => (who === "ada" ? everybody() : unreachable());
    const { url } = await start({ admit, limits: { ...defaultLimits, max: 4, maxOfOwner: 2 } });
    const alive = async (who: string, { id }: { id: string }) =>
      (await post(url, { authorization: `Bearer ${who}`, "mcp-session-id": id })).status === 200;
    const ada = await connect(url, "ada");
    const [first, second, third] = [
      await connect(url, "bob"),
      await connect(url, "bob"),
      await connect(url, "bob"),
    ];
    expect([await alive("bob", first), await alive("bob", second), await alive("bob", third)]).toEqual([
      false,
      true,
      true,
    ]);
    // Ada's session is the oldest, but her credential is known.
    for (const name of ["eve1", "eve2", "eve3", "eve4"]) await connect(url, name);
    expect(await alive("ada", ada)).toBe(true);
    expect(await alive("bob", second)).toBe(false);
  });

  it("answers the calls in progress when it is closed", async () => {
    const { url, words, close } = await start();
    const { client } = await connect(url, "ada");
    let begin = () => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const call = client.callTool({ name: "wait", arguments: {} }, undefined, { onprogress: () => begin() });
    await begun;
    await close();
    expect((await call).content).toEqual([
      { type: "text", text: expect.stringMatching(/^server_stopped: .* while wait was running/) },
    ]);
    expect(words.get("ada")).toEqual(["aborted"]);
  });

  it("refuses batches", async () => {
    const { url } = await start();
    const { id } = await connect(url, "ada");
    const refused = await post(url, { authorization: "Bearer ada", "mcp-session-id": id }, ` [${ping}]`);
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ error: { code: -32600 } });
  });

  it("aborts a call that its client cancels", async () => {
    const { url, words } = await start();
    const { client } = await connect(url, "ada");
    const stop = new AbortController();
    const call = client.callTool({ name: "wait", arguments: {} }, undefined, {
      signal: stop.signal,
      onprogress: () => stop.abort("enough"),
    });
    await expect(call).rejects.toThrow("enough");
    await expect.poll(() => words.get("ada")).toEqual(["aborted"]);
  });

  it("lets no other user use a session, or learn that it exists", async () => {
    const { url } = await start();
    const { id } = await connect(url, "ada");
    expect((await post(url, { authorization: "Bearer ada", "mcp-session-id": id })).status).toBe(200);
    const refused = [post(url, { authorization: "Bearer eve", "mcp-session-id": id })];
    const unknown = post(url, { authorization: "Bearer eve", "mcp-session-id": crypto.randomUUID() });
    const answers = await Promise.all(
      [...refused, unknown].map(async (sent) => [(await sent).status, await (await sent).text()]),
    );
    for (const answer of answers)
      expect(answer).toEqual([
        404,
        '{"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null}',
      ]);
  });

  it("ends a session when its client asks for it", async () => {
    const { url } = await start();
    const { id, transport } = await connect(url, "ada");
    await transport.terminateSession();
    expect((await post(url, { authorization: "Bearer ada", "mcp-session-id": id })).status).toBe(404);
  });

  it("ends the oldest idle session to admit a new one, and admits none while all are busy", async () => {
    const { url } = await start({ limits: { ...defaultLimits, max: 2 } });
    const first = await connect(url, "ada");
    const second = await connect(url, "ada");
    await first.client.ping();
    const third = await connect(url, "ada");
    const alive = async ({ id }: { id: string }) =>
      (await post(url, { authorization: "Bearer ada", "mcp-session-id": id })).status === 200;
    expect([await alive(first), await alive(second), await alive(third)]).toEqual([true, false, true]);

    const working = [first, third].map(async ({ client }) => {
      await new Promise<void>((resolve) => {
        client
          .callTool({ name: "wait", arguments: {} }, undefined, { onprogress: () => resolve() })
          .catch(() => {});
      });
    });
    await Promise.all(working);
    const refused = await post(url, { authorization: "Bearer ada" }, initialize);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "5"]);
  });

  it("ends a session that has been idle for long, or is too old", async () => {
    const { url } = await start({ limits: { ...defaultLimits, idleMs: 0, ageMs: 60_000 } });
    const headers = { authorization: "Bearer ada" };
    const opened = await post(url, headers, initialize);
    await opened.text();
    const id = opened.headers.get("mcp-session-id") ?? "";
    expect(id).not.toBe("");
    await expect.poll(async () => (await post(url, { ...headers, "mcp-session-id": id })).status).toBe(404);
  });

  it.each([
    ["another path", { path: "/" }, 404],
    ["a name that is not its own", { headers: { host: "evil.example.com" } }, 421],
    ["a page of another origin", { headers: { origin: "https://evil.example.com" } }, 403],
    ["a credential of another kind", { headers: { authorization: "Basic YTpi" } }, 401],
    ["a request outside a session", {}, 400],
    ["no JSON", { body: "{" }, 400],
    ["another type", { headers: { "content-type": "text/plain" } }, 415],
    [
      "a message over 4 MiB",
      { body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "x".repeat(5e6) }) },
      413,
    ],
    ["another method", { method: "PUT" }, 405],
  ])(
    "refuses %s",
    async (_what, { path = "/mcp", headers = {}, body = ping, method = "POST" }: Sent, status) => {
      const { url } = await start();
      const all = { ...json, authorization: "Bearer ada", ...headers };
      expect(await send(new URL(path, url), { method, headers: all, body })).toBe(status);
    },
  );
});

interface Sent {
  path?: string;
  headers?: Record<string, string>;
  body?: string;
  method?: string;
}

/** Not fetch, which does not allow setting Host. */
async function send(
  url: URL,
  { method, headers, body }: Required<Omit<Sent, "path">>,
): Promise<number | undefined> {
  const sent = request(url, { method, headers });
  // The server may refuse a request while its body is still being sent.
  sent.on("error", () => {});
  sent.end(body);
  const [response] = await once(sent, "response");
  await text(response).catch(() => "");
  return response.statusCode;
}
