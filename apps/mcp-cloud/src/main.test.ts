import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { freePort } from "@grove/testing/freePort";
import { serverEnvironment } from "@grove/testing/mcpClient";
import { isRunning, runProgram } from "@grove/testing/process";
import { describe, expect, it } from "vitest";
import { version } from "../package.json";
import { call, connect, program } from "./testing/client";
import { tools } from "./tools";

const anyId = "0199aaaa-0000-7000-8000-000000000001";
/** Valid arguments for every tool. */
const args: Record<string, Record<string, unknown>> = {
  list_devices: {},
  list_workspaces: { deviceId: anyId },
  create_workspace: { deviceId: anyId, projectId: anyId, workspaces: [{}] },
  list_projects: {},
  get_app_context: {},
  get_command: { commandId: anyId },
  switch_workspace: { workspaceId: anyId },
  delete_workspace: { workspaceIds: [anyId] },
  update_workspace: { updates: [{ workspaceId: anyId, name: "a" }] },
  get_workspace_details: { workspaceId: anyId },
  start_agent_session: { workspaceId: anyId, prompt: "do it" },
  get_agent_session: { sessionId: anyId },
  wait_for_sessions: { sessionIds: [anyId], until: "end" },
  answer_agent_question: { sessionId: anyId, answers: [["yes"]] },
  send_agent_input: { sessionId: anyId, text: "yes" },
  stop_agent_session: { sessionId: anyId },
  list_review_comments: { workspaceId: anyId },
  answer_comment: { commentId: anyId, state: "fixed" },
  finish_task: { workspaceId: anyId, summary: "done" },
  get_change: { workspaceId: anyId },
  commit_workspace: { workspaceId: anyId, message: "Fix it" },
  push_branch: { workspaceId: anyId },
  update_from_base: { workspaceId: anyId },
  open_pull_request: { workspaceId: anyId, title: "Fix it" },
  create_task: { title: "a" },
  update_task: { taskId: "a", title: "b" },
  list_tasks: {},
  get_task: { taskId: "a" },
  delete_task: { taskId: "a" },
  list_task_statuses: {},
  list_members: {},
  cancel_command: { commandId: anyId },
};

/** Returns what a tool answers when its API address belongs to another server. */
async function answerOf(answer: (response: ServerResponse) => unknown): Promise<string> {
  const other = createServer((_request, response) => answer(response)).listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as { port: number };
  const client = await connect({ API_URL: `http://127.0.0.1:${port}`, API_KEY: "grk_whatever" });
  const { text } = await call(client, "list_devices");
  other.close();
  other.closeAllConnections();
  return text;
}

const run = (argv: string[], env: Record<string, string> = {}) =>
  runProgram([process.execPath, program, ...argv], { env: serverEnvironment(env) });

describe("the built program", () => {
  // Contract: cloud.version
  it("introduces itself and lists its tools without the network", async () => {
    const client = await connect({
      API_URL: `http://127.0.0.1:${await freePort()}`,
      SERVICE_NAME: "acme-cloud",
    });
    expect(client.getServerVersion()).toEqual({ name: "acme-cloud", version: "1.0.0" });
    expect(client.getInstructions()?.split(" ").length).toBeLessThan(120);
    const { tools: listed } = await client.listTools();
    expect(listed.map((tool) => tool.name)).toEqual(tools.map((tool) => tool.name));
  });

  it("is named grove by default", async () => {
    const client = await connect();
    expect(client.getServerVersion()?.name).toBe("grove");
  });

  // Contract: cloud.authentication
  it.each(tools.map((tool) => tool.name))(
    "%s without a key answers exactly: Authentication required",
    async (name) => {
      const client = await connect();
      const result = await client.callTool({ name, arguments: args[name] });
      expect(result).toEqual({ content: [{ type: "text", text: "Authentication required" }], isError: true });
    },
  );

  it("answers the same if a tool needs more, and for a key that no header can hold", async () => {
    const client = await connect({ API_KEY: "mein Schlüssel" });
    for (const [name, given] of [
      ["switch_workspace", {}],
      ["update_task", { taskId: "a" }],
      ["start_agent_session", { workspaceId: anyId }],
    ] as const)
      expect((await call(client, name, given)).text).toBe("Authentication required");
  });

  // Contract: mcp.validation, cloud.createWorkspace.required
  it("rejects bad input before anything else", async () => {
    const client = await connect();
    const tooMany = { ...args.create_workspace, workspaces: Array(6).fill({}) };
    expect((await call(client, "create_workspace", tooMany)).text).toMatch(
      /^invalid_input: workspaces: Too big/,
    );
    const none = { ...args.create_workspace, workspaces: [] };
    expect((await call(client, "create_workspace", none)).text).toMatch(
      /^invalid_input: workspaces: Too small/,
    );
    expect((await call(client, "create_workspace", {})).text).toMatch(
      /^invalid_input: deviceId: is required; projectId: is required; workspaces: is required\./,
    );
    expect((await call(client, "list_workspaces", { deviceId: "mine" })).text).toMatch(
      /^invalid_input: deviceId: Invalid GUID \(got "mine"\)/,
    );
    expect((await call(client, "list_devices", { state: "online" })).text).toBe(
      'invalid_input: unknown argument "state"; expected status (optional), after (optional). ' +
        "Correct the arguments and call list_devices again.",
    );
  });

  it("names the address that cannot be reached", async () => {
    const address = `http://127.0.0.1:${await freePort()}`;
    const client = await connect({ API_URL: address, API_KEY: "grk_whatever" });
    for (const { name } of tools) {
      const answer = await call(client, name, args[name]);
      expect(answer.isError).toBe(true);
      expect(answer.text).toMatch(
        `api_unreachable: The Grove API at ${address} cannot be reached (ECONNREFUSED). Start it`,
      );
    }
  });

  it("does not mistake another web server for a Grove API", async () => {
    expect(await answerOf((response) => response.end("<h1>It works</h1>"))).toMatch(
      /^api_unreachable: The server at \S+ is not a Grove API \(HTTP 200 .*Set API_URL to where the API runs/,
    );
  });

  it("distinguishes a proxy in front of the API from the API", async () => {
    const html = (status: number) => (response: ServerResponse) =>
      response.writeHead(status, { "content-type": "text/html" }).end("<h1>proxy</h1>");
    expect(await answerOf(html(429))).toMatch(
      /^rate_limited: The proxy in front of .*HTTP 429.* Wait a minute/,
    );
    expect(await answerOf(html(502))).toMatch(
      /^api_unreachable: The proxy in front of .* cannot reach it \(HTTP 502/,
    );
    const noRoute = {
      error: { message: "No route matches GET /x", code: -32004, data: { code: "NOT_FOUND" } },
    };
    const json = (response: ServerResponse) =>
      response.writeHead(404, { "content-type": "application/json" }).end(JSON.stringify(noRoute));
    expect(await answerOf(json)).toMatch(/^api_unreachable: .* the path is wrong\. Set API_URL/);
  });

  it("offers only what the command line and the environment leave", async () => {
    const names = async (env: Record<string, string>, argv: string[]) =>
      (await (await connect(env, argv)).listTools()).tools.map((tool) => tool.name);
    expect(await names({}, ["--read-only"])).not.toContain("create_workspace");
    expect(await names({ READ_ONLY: "1" }, [])).not.toContain("create_workspace");
    expect(await names({}, ["--tools", "get_command,list_devices"])).toEqual(["list_devices", "get_command"]);
    expect(await names({ TOOLS: "list_devices,get_command" }, ["--tools", "get_command"])).toEqual([
      "get_command",
    ]);
  });

  it("prints help and version", async () => {
    expect(await run(["--version"])).toMatchObject({ stdout: `${version}\n`, stderr: "", code: 0 });
    const help = await run(["--help"]);
    expect(help).toMatchObject({ stderr: "", code: 0 });
    for (const word of ["--read-only", "--tools", "API_URL", "API_KEY", "SERVICE_NAME", "LOG_LEVEL"])
      expect(help.stdout).toContain(word);
  });

  it("refuses unknown options, with code 2 and nothing on stdout", async () => {
    const unknown = await run(["--api-key=x"]);
    expect(unknown).toMatchObject({ stdout: "", code: 2 });
    expect(unknown.stderr).toContain("Unknown option '--api-key'");
    expect(await run(["--tools", "list_device"])).toMatchObject({ stdout: "", code: 2 });
  });

  it("stops immediately with one line for each wrong variable, and shows no key", async () => {
    const { stdout, stderr, code } = await run([], {
      API_URL: "localhost:3000",
      LOG_LEVEL: "loud",
      API_KEY: "grk_hidden",
    });
    expect({ stdout, code }).toEqual({ stdout: "", code: 1 });
    expect(
      stderr
        .trim()
        .split("\n")
        .map((line) => line.split(":")[0])
        .sort(),
    ).toEqual(["API_URL", "LOG_LEVEL"]);
    expect(stderr).not.toContain("grk_hidden");
  });

  it.each(["end of stdin", "SIGTERM", "SIGINT", "SIGHUP"] as const)("exits after %s", async (how) => {
    const client = await connect();
    const { pid } = client.transport as { pid?: number };
    const closed = new Promise<void>((resolve) => {
      client.onclose = resolve;
    });
    if (how === "end of stdin") await client.close();
    else process.kill(pid as number, how);
    await closed;
    expect(isRunning(pid as number)).toBe(false);
  });
});
