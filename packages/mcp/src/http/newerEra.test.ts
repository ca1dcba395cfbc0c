import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, it, onTestFinished } from "vitest";
import { AuthenticationRequired } from "../errors";
import { defaultLimits } from "./sessions";
import { start } from "./testing";

/** Connects the second SDK's own client; `pin` lets it speak nothing but the newer era. */
async function connect(url: string, credential: string, mode: "auto" | "pin" = "pin") {
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { authorization: `Bearer ${credential}` } },
  });
  const versionNegotiation = { mode: mode === "auto" ? mode : { pin: "2026-07-28" } } as const;
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return {
    client,
    transport,
    echo: (word: string) => client.callTool({ name: "echo", arguments: { word } }),
  };
}

/** Calls a tool that runs until it is aborted; resolves when it has begun. */
async function startWaiting(client: Client, signal?: AbortSignal) {
  let call: ReturnType<Client["callTool"]> | undefined;
  await new Promise<void>((resolve) => {
    const onprogress = () => resolve();
    call = client.callTool({ name: "wait", arguments: {} }, { onprogress, ...(signal && { signal }) });
  });
  return { call };
}

describe("the newer era over HTTP", () => {
  it("serves the SDK's own client without a session, and keeps credentials apart", async () => {
    const { url, words } = await start();
    const [ada, bob] = await Promise.all([connect(url, "ada"), connect(url, "bob", "auto")]);
    expect([ada.client.getProtocolEra(), bob.client.getProtocolEra()]).toEqual(["modern", "modern"]);
    expect((await ada.client.listTools()).tools).toHaveLength(4);
    expect((await ada.echo("one")).structuredContent).toEqual({ words: ["one"], marks: null });
    await Promise.all([bob.echo("two"), ada.echo("three")]);
    expect([...words]).toEqual([
      ["ada", ["one", "three"]],
      ["bob", ["two"]],
    ]);
    expect(ada.transport.sessionId).toBeUndefined();
  });

  it("refuses a credential that is not known, and looks up a known one once", async () => {
    const asked: string[] = [];
    const { url } = await start({
      admit: async (credential) => {
        asked.push(credential);
        if (credential === "eve") throw new AuthenticationRequired();
      },
    });
    const ada = await connect(url, "ada");
    await ada.client.listTools();
    await expect(connect(url, "eve")).rejects.toMatchObject({ data: { status: 401 } });
    expect(asked.filter((credential) => credential === "ada")).toEqual(["ada"]);
  });

  it("reports progress on the call's own stream, and aborts a call whose stream is closed", async () => {
    const { url, words } = await start();
    const { client } = await connect(url, "ada");
    const stop = new AbortController();
    const progress: (string | undefined)[] = [];
    const call = client.callTool(
      { name: "wait", arguments: {} },
      {
        signal: stop.signal,
        onprogress: ({ message }) => {
          progress.push(message);
          if (progress.length === 3) stop.abort("enough");
        },
      },
    );
    await expect(call).rejects.toThrow();
    await expect.poll(() => words.get("ada")).toEqual(["aborted"]);
    expect(progress).toEqual(["first", "second", "third"]);
  });

  it("answers the calls in progress when it is closed", async () => {
    const { url, close } = await start();
    const { client } = await connect(url, "ada");
    const { call } = await startWaiting(client);
    await close();
    expect((await call)?.content).toEqual([
      { type: "text", text: expect.stringMatching(/^server_stopped: .* while wait was running/) },
    ]);
  });

  it("forgets an idle caller for a new one, and has no room while all are busy", async () => {
    const { url, words } = await start({ limits: { ...defaultLimits, max: 1 } });
    await connect(url, "ada");
    const bob = await connect(url, "bob");
    const stop = new AbortController();
    const { call } = await startWaiting(bob.client, stop.signal);
    await expect(connect(url, "ada")).rejects.toMatchObject({ data: { status: 503 } });
    stop.abort("enough");
    await expect(call).rejects.toThrow();
    await expect.poll(() => words.get("bob")).toEqual(["aborted"]);
    await connect(url, "ada");
  });

  it("serves both eras on one address", async () => {
    const { url } = await start();
    const client = new Client({ name: "test", version: "1" });
    const requestInit = { headers: { authorization: "Bearer ada" } };
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
    onTestFinished(() => client.close());
    const { echo } = await connect(url, "ada");
    expect(client.getProtocolEra()).toBe("legacy");
    const older = await client.callTool({ name: "echo", arguments: { word: "one" } });
    expect(await echo("one")).toMatchObject(older);
  });
});
