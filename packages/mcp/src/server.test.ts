import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { type Notification, ProgressNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterEach, describe, expect, it } from "vitest";
import { fixtureServer } from "./fixture";
import { createLogger } from "./log";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

async function connect() {
  const lines: string[] = [];
  const words: string[] = [];
  const server = fixtureServer(
    { words },
    createLogger("warn", (line) => lines.push(line)),
  );
  const client = new Client({ name: "test", version: "1" });
  const notifications: Notification[] = [];
  client.fallbackNotificationHandler = async (notification) => {
    notifications.push(notification);
  };
  const [near, far] = InMemoryTransport.createLinkedPair();
  open.push(client, server);
  await Promise.all([server.connect(far), client.connect(near)]);
  return { client, server, words, lines, notifications };
}

const textOf = (result: unknown) => (result as { content: { text: string }[] }).content[0]?.text;

describe("createServer", () => {
  it("introduces itself, its tools and their use", async () => {
    const { client } = await connect();
    expect(client.getServerVersion()).toEqual({ name: "fixture", version: "1.2.3" });
    expect(client.getServerCapabilities()).toEqual({ tools: {} });
    expect(client.getInstructions()).toBe("Say hello first.");
  });

  // Contract: mcp.initialized
  it("sends one initialized notification once the handshake is complete", async () => {
    const { client, notifications } = await connect();
    const methods = () => notifications.map(({ method }) => method);
    await expect.poll(() => methods()).toEqual(["notifications/initialized"]);
    await client.notification({ method: "notifications/initialized" });
    await client.ping();
    expect(methods()).toHaveLength(1);
  });

  it("lists compact JSON schemas and all four hints", async () => {
    const { client } = await connect();
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name)).toEqual(["echo", "show", "fail", "wait"]);
    expect(tools[0]).toEqual({
      name: "echo",
      title: "Echo",
      description: "Gives back what it was given. Use it to see that the server answers.",
      annotations: {
        readOnlyHint: false,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      },
      inputSchema: {
        type: "object",
        properties: {
          word: { type: "string", maxLength: 5, description: "What to say" },
          times: { type: "integer", maximum: 3, default: 1, description: "How often" },
          marks: {
            type: "array",
            maxItems: 2,
            description: "Punctuation",
            items: {
              type: "object",
              properties: { sign: { type: "string", enum: ["!", "?"], description: "The mark" } },
              required: ["sign"],
            },
          },
        },
        required: ["word"],
      },
      outputSchema: {
        type: "object",
        properties: { words: {}, marks: {} },
        additionalProperties: false,
      },
    });
    expect(tools[1]).not.toHaveProperty("outputSchema");
  });

  // Contract: mcp.result
  it("answers structured content and the same JSON, compact, as text", async () => {
    const { client } = await connect();
    await client.listTools();
    const result = await client.callTool({ name: "echo", arguments: { word: "hi", times: 2 } });
    expect(result).toEqual({
      content: [{ type: "text", text: '{"words":["hi","hi"],"marks":null}' }],
      structuredContent: { words: ["hi", "hi"], marks: null },
    });
  });

  it("marks the hidden characters of answers and errors, and returns the same in both forms", async () => {
    const { client } = await connect();
    const answered = await client.callTool({ name: "echo", arguments: { word: "a\u202eb" } });
    expect(answered.structuredContent).toEqual({ words: ["a⟨RLO⟩b"], marks: null });
    expect(textOf(answered)).toBe('{"words":["a⟨RLO⟩b"],"marks":null}');
    const lines = await client.callTool({ name: "echo", arguments: { word: "a\n\u200bb" } });
    expect(lines.structuredContent).toEqual({ words: ["a\n⟨ZWSP⟩b"], marks: null });
    const refused = await client.callTool({ name: "fail", arguments: { how: "\u{e0041}" } });
    expect(textOf(refused)).toContain('(got "⟨U+E0041⟩")');
  });

  it("passes the entries of a tool without an output schema on", async () => {
    const { client } = await connect();
    const result = await client.callTool({ name: "show" });
    expect(result).toEqual({
      content: [
        { type: "text", text: "a picture" },
        { type: "image", data: "AAAA", mimeType: "image/png" },
      ],
    });
  });

  // Contract: mcp.validation
  it("rejects input that fails the schema before the handler runs", async () => {
    const { client, words } = await connect();
    const call = async (args: Record<string, unknown>) => {
      const result = await client.callTool({ name: "echo", arguments: args });
      expect(result.isError).toBe(true);
      return textOf(result);
    };
    expect(await call({})).toBe(
      "invalid_input: word: is required. Correct the arguments and call echo again.",
    );
    expect(await call({ word: 7, times: 9 })).toBe(
      "invalid_input: word: Invalid input: expected string, received number (got 7); " +
        "times: Too big: expected number to be <=3. Correct the arguments and call echo again.",
    );
    expect(await call({ word: "hi", loud: true })).toBe(
      'invalid_input: unknown argument "loud"; expected word, times (optional), marks (optional). ' +
        "Correct the arguments and call echo again.",
    );
    expect(await call({ word: "hi", marks: [{ sign: "#" }, { sign: "!", size: 1 }] })).toBe(
      'invalid_input: marks[0].sign: Invalid option: expected one of "!"|"?" (got "#"); ' +
        'unknown argument "size" in marks[1]; expected sign. Correct the arguments and call echo again.',
    );
    expect(words).toEqual([]);
  });

  it("answers an unknown tool with the protocol's own error, which names those there are", async () => {
    const { client } = await connect();
    for (const name of ["ecco", "constructor"])
      await expect(client.callTool({ name })).rejects.toMatchObject({
        code: -32602,
        message: expect.stringContaining(`Unknown tool: "${name}". The tools are: echo, show, fail, wait.`),
      });
  });

  // Contract: mcp.result, mcp.internal
  it("reports a tool's own errors to the caller, and nothing internal", async () => {
    const { client, lines } = await connect();
    const call = (how: string) => client.callTool({ name: "fail", arguments: { how } });
    expect(await call("told")).toEqual({
      content: [{ type: "text", text: 'not_today: There is no "today". Try tomorrow.' }],
      isError: true,
    });
    expect(await call("signed_out")).toEqual({
      content: [{ type: "text", text: "Authentication required" }],
      isError: true,
    });
    expect(lines).toEqual([]);
    for (const how of ["crash", "extra_key"]) {
      const result = await call(how);
      expect(result.isError).toBe(true);
      expect(textOf(result)).toMatch(/^internal_error: fail failed/);
      expect(JSON.stringify(result)).not.toContain("hunter2");
    }
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ level: "error", tool: "fail" });
    expect(lines[0]).toContain("secret: hunter2");
    expect(lines[0]).toContain("fixture.ts");
  });

  it("answers malformed params with the protocol's own error", async () => {
    const { client } = await connect();
    const malformed = { method: "tools/call", params: { name: 5 } };
    await expect(client.request(malformed, ProgressNotificationSchema)).rejects.toMatchObject({
      code: -32602,
    });
  });

  it("reports rising progress to a client that asked, and cancels", async () => {
    const { client, words } = await connect();
    const progress: unknown[] = [];
    const stop = new AbortController();
    const call = client.callTool({ name: "wait" }, undefined, {
      signal: stop.signal,
      onprogress: (value) => {
        progress.push(value);
        if (progress.length === 3) stop.abort("enough");
      },
    });
    await expect(call).rejects.toThrow("enough");
    await client.ping();
    expect(progress).toEqual([
      { progress: 0.01, message: "first" },
      { progress: 0.5, total: 1, message: "second" },
      { progress: 0.51, total: 1, message: "third" },
    ]);
    expect(words).toEqual(["aborted"]);
  });

  it("answers the calls that it aborts when it closes", async () => {
    const { client, server, words } = await connect();
    let begin = () => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const call = client.callTool({ name: "wait" }, undefined, { onprogress: begin });
    await begun;
    await server.close();
    expect(words).toEqual(["aborted"]);
    expect(await call).toEqual({
      content: [
        {
          type: "text",
          text: "server_stopped: The MCP server was stopped while wait was running, and ended the call. Check what it has done before you call it again.",
        },
      ],
      isError: true,
    });
  });
});
