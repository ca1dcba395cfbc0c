import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { useApi } from "@grove/test-api";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { describe, expect, it, onTestFinished } from "vitest";
import { call, environment, program } from "./testing/client";
import { tools } from "./tools";

const api = useApi();

/** Serves HTTP with the built program, on a free port. */
async function serve(env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [program, "--http", "--port", "0"], {
    env: environment({ API_URL: api.url, ...env }),
    stdio: ["ignore", "ignore", "pipe"],
  });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  const lines = createInterface({ input: child.stderr });
  const logged: string[] = [];
  for await (const line of lines) {
    logged.push(line);
    const { msg, url } = JSON.parse(line);
    if (msg === "listening") return { child, url: new URL(url), logged };
  }
  throw new Error(`it did not start: ${logged.join("\n")}`);
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
  it("acts for the client that presents a key, and for nobody else", async () => {
    const [ada, eve] = await Promise.all([api.signUp("ada"), api.signUp("eve")]);
    // Its own key is for stdin and stdout: with it, anyone who reaches the port could act.
    const { url, logged } = await serve({ API_KEY: ada.apiKey });
    expect(logged.join()).toContain("API_KEY is not used with --http");
    expect(logged.join()).not.toContain(ada.apiKey);
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
      ...{ isError: true, text: "Authentication required", data: undefined },
    });
  });

  it("opens a session while the API is away, and its tools report that", async () => {
    const { url } = await serve({ API_URL: "http://127.0.0.1:9" });
    const client = await connect(url, "grk_any");
    expect((await call(client, "list_tasks")).text).toMatch(/^api_unreachable: /);
  });

  it.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
    "is gone after %s, with a session open",
    async (signal) => {
      const { child, url } = await serve({ API_URL: "http://127.0.0.1:9" });
      await connect(url, "grk_any");
      const gone = once(child, "exit");
      child.kill(signal);
      expect(await gone).toEqual([0, null]);
    },
  );

  it.each([
    [["--port", "80"], "--host and --port go with --http. Try grove-mcp-cloud --help."],
    [["--http", "--port", "http"], '--port must be a number from 0 to 65535, not "http".'],
  ])("refuses %j", async (argv, message) => {
    const child = spawn(process.execPath, [program, ...argv], { env: environment({}), stdio: "pipe" });
    let err = "";
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      err += chunk;
    });
    expect(await once(child, "close")).toEqual([2, null]);
    expect(err).toBe(`${message}\n`);
  });

  it("reports in one line that the port is taken", async () => {
    const { url } = await serve();
    const argv = [program, "--http", "--port", url.port];
    const child = spawn(process.execPath, argv, {
      env: environment({}),
      stdio: ["ignore", "ignore", "pipe"],
    });
    const [line] = await once(createInterface({ input: child.stderr }), "line");
    expect(line).toMatch(`Cannot listen on 127.0.0.1:${url.port}: listen EADDRINUSE`);
  });
});
