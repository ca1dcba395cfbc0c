import { useApi } from "@grove/test-api";
import {
  Client as NewerClient,
  StreamableHTTPClientTransport as NewerHttp,
} from "@modelcontextprotocol/client";
import { StdioClientTransport as NewerStdio } from "@modelcontextprotocol/client/stdio";
import { Client as OlderClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OlderStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as OlderHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { desktop, serve, server } from "./program";

const api = useApi();
let env: Record<string, string>;
beforeAll(async () => {
  const { apiKey } = await api.signUp("ada");
  env = { API_URL: api.url, API_KEY: apiKey };
});

/** Where a client finds a server: the program to start, or an address. */
type Place = { command: string; args: string[]; env: Record<string, string> } | URL;
interface Connected {
  /** The era that was negotiated. */
  readonly era: string | undefined;
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(call: { name: string; arguments: object }): Promise<object>;
}

const info = { name: "stock", version: "1" };
const withKey = () => ({ requestInit: { headers: { authorization: `Bearer ${env.API_KEY}` } } });

async function older(place: Place): Promise<Connected> {
  const client = new OlderClient(info);
  onTestFinished(() => client.close());
  await client.connect(place instanceof URL ? new OlderHttp(place, withKey()) : new OlderStdio(place));
  return Object.assign(client, { era: "legacy" }) as Connected;
}

const newer =
  (mode: "legacy" | "auto" | { pin: string }) =>
  async (place: Place): Promise<Connected> => {
    const client = new NewerClient(info, { versionNegotiation: { mode } });
    onTestFinished(() => client.close());
    await client.connect(place instanceof URL ? new NewerHttp(place, withKey()) : new NewerStdio(place));
    return Object.assign(client, { era: client.getProtocolEra() }) as Connected;
  };

/** The stock clients of both majors of the SDK, and the era that each must reach. */
const clients: [name: string, connect: (place: Place) => Promise<Connected>, era: string][] = [
  ["the first major", older, "legacy"],
  ["the second major, of the older era", newer("legacy"), "legacy"],
  ["the second major, which finds out the era", newer("auto"), "modern"],
  ["the second major, of the newer era only", newer({ pin: "2026-07-28" }), "modern"],
];
const program = (path: string): Place => ({ command: process.execPath, args: [path], env });

describe.each(clients)("the client of %s", (_, connect, era) => {
  it.each([
    ["over stdio", async () => program(server)],
    ["over HTTP", () => serve(api.url)],
  ])("uses the cloud server %s", async (_, place) => {
    const client = await connect(await place());
    expect(client.era).toBe(era);
    expect((await client.listTools()).tools).toHaveLength(32);
    const made = { name: "create_task", arguments: { title: `Made by ${_}` } };
    expect(await client.callTool(made)).toMatchObject({ structuredContent: { title: `Made by ${_}` } });
    await expect(client.callTool({ name: "no_such_tool", arguments: {} })).rejects.toMatchObject({
      code: -32602,
    });
  });

  it("uses the desktop server over stdio", async () => {
    const client = await connect(program(desktop));
    expect(client.era).toBe(era);
    expect((await client.listTools()).tools).toHaveLength(11);
    const sent = { name: "send_keys", arguments: { keys: [] } };
    expect(await client.callTool(sent)).toMatchObject({ isError: true });
  });
});
