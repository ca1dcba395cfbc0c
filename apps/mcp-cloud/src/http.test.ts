import { useApi } from "@grove/test-api";
import { serverEnvironment } from "@grove/testing/mcpClient";
import { startProgram } from "@grove/testing/process";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { describe, expect, it, onTestFinished } from "vitest";
import { call, program } from "./testing/client";
import { tools } from "./tools";

const api = useApi();

const start = (argv: string[], env: Record<string, string> = {}) =>
  startProgram([process.execPath, program, ...argv], {
    env: serverEnvironment(env),
    endAfter: onTestFinished,
  });

/** Serves HTTP with the built program, on a free port. */
async function serve(env: Record<string, string> = {}) {
  const server = start(["--http", "--port", "0"], { API_URL: api.url, ...env });
  const { url } = JSON.parse(await server.waitForLine('"msg":"listening"'));
  return { server, url: new URL(url) };
}

async function connect(url: URL, key?: string): Promise<Client> {
  const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const client = new Client({ name: "test", version: "1" });
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  onTestFinished(() => client.close());
  await client.listTools();
  return client;
}

describe("over HTTP", () => {
  it("acts only for the client that presents a key", async () => {
    const [ada, eve] = await Promise.all([api.signUp("ada"), api.signUp("eve")]);
    // The server's own key is for stdin and stdout: with it, anyone who reaches the port could act.
    const { server, url } = await serve({ API_KEY: ada.apiKey });
    expect(server.stderr).toContain("API_KEY is not used with --http");
    expect(server.stderr).not.toContain(ada.apiKey);
    const [asAda, asEve] = await Promise.all([connect(url, ada.apiKey), connect(url, eve.apiKey)]);
    expect((await asEve.listTools()).tools.map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
    await expect(connect(url)).rejects.toThrow("Authentication required");
    await call(asAda, "create_task", { title: "Mine" });
    expect((await call(asAda, "list_tasks")).data).toMatchObject({ tasks: [{ slug: "mine" }], total: 1 });
    expect((await call(asEve, "list_tasks")).data).toMatchObject({ tasks: [], total: 0 });
    await expect(connect(url, "grk_nobody_knows")).rejects.toThrow("Authentication required");
    const { organizationId, apiKeyId } = eve;
    await eve.client.apiKey.revoke.mutate({ organizationId, id: apiKeyId });
    expect(await call(asEve, "list_tasks")).toEqual({
      isError: true,
      text: "Authentication required",
      data: undefined,
    });
  });

  it("opens a session while the API is unreachable, and its tools report that", async () => {
    const { url } = await serve({ API_URL: "http://127.0.0.1:9" });
    const client = await connect(url, "grk_any");
    expect((await call(client, "list_tasks")).text).toMatch(/^api_unreachable: /);
  });

  it.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)("exits after %s, with a session open", async (signal) => {
    const { server, url } = await serve({ API_URL: "http://127.0.0.1:9" });
    await connect(url, "grk_any");
    expect(await server.end(signal)).toBe(0);
  });

  it.each([
    [["--port", "80"], "--host and --port require --http. Try grove-mcp-cloud --help."],
    [["--http", "--port", "http"], '--port must be a number from 0 to 65535, not "http".'],
  ])("refuses %j", async (argv, message) => {
    expect(await start(argv).ended).toMatchObject({ code: 2, stderr: `${message}\n` });
  });

  it("reports in one line that the port is taken", async () => {
    const { url } = await serve();
    const { stderr } = await start(["--http", "--port", url.port]).ended;
    expect(stderr).toMatch(`Cannot listen on 127.0.0.1:${url.port}: listen EADDRINUSE`);
  });
});
