import { useApi } from "@grove/test-api";
import { beforeAll, describe, expect, it } from "vitest";
import { run, server } from "./program";

const api = useApi();
let env: Record<string, string>;
beforeAll(async () => {
  const { apiKey } = await api.signUp("ada");
  env = { API_URL: api.url, API_KEY: apiKey };
});

/** The inspector in CLI mode, which starts the server over stdio. */
async function inspect(...args: string[]) {
  const variables = Object.entries(env).flatMap(([name, value]) => ["-e", `${name}=${value}`]);
  return run("mcp-inspector", ["--cli", process.execPath, server, ...variables, ...args, "--format", "json"]);
}

interface Called {
  isError?: boolean;
  content: { type: string; text: string }[];
  structuredContent?: Record<string, unknown>;
}

const anyId = "0199aaaa-0000-7000-8000-000000000001";
const noDevice = "no_device_online";
const noSuch = "not_found";

/** Valid arguments for every tool, and its refusal in an organization without devices and tasks. */
const tools: Record<string, [args: object, refusal?: string]> = {
  list_devices: [{}],
  list_workspaces: [{}, noDevice],
  create_workspace: [{ deviceId: anyId, projectId: anyId, workspaces: [{}] }, noSuch],
  switch_workspace: [{ name: "a" }, noDevice],
  delete_workspace: [{ workspaceIds: [anyId] }, noDevice],
  update_workspace: [{ updates: [{ workspaceId: anyId, name: "a" }] }, noDevice],
  list_projects: [{}],
  get_app_context: [{}, noDevice],
  get_workspace_details: [{ workspaceId: anyId }, noDevice],
  start_agent_session: [{ workspaceId: anyId, prompt: "a" }, noDevice],
  get_agent_session: [{ sessionId: anyId }, noSuch],
  wait_for_sessions: [{ sessionIds: [anyId], until: "end" }, noSuch],
  answer_agent_question: [{ requestId: anyId, answers: [["a"]] }, noSuch],
  send_agent_input: [{ sessionId: anyId, text: "a" }, noSuch],
  stop_agent_session: [{ sessionId: anyId }, noSuch],
  list_review_comments: [{ workspaceId: anyId }, noSuch],
  answer_comment: [{ commentId: anyId, state: "fixed" }, noSuch],
  finish_task: [{ workspaceId: anyId, summary: "done" }, noSuch],
  get_change: [{ workspaceId: anyId }, noSuch],
  commit_workspace: [{ workspaceId: anyId, message: "a" }, noSuch],
  push_branch: [{ workspaceId: anyId }, noSuch],
  update_from_base: [{ workspaceId: anyId }, noSuch],
  open_pull_request: [{ workspaceId: anyId, title: "a" }, noSuch],
  create_task: [{ title: "Seen by the inspector", assignee: "me" }],
  update_task: [{ taskId: "none", title: "a" }, noSuch],
  list_tasks: [{}],
  get_task: [{ taskId: "none" }, noSuch],
  delete_task: [{ taskId: "none" }, noSuch],
  list_task_statuses: [{}],
  list_members: [{}],
  get_command: [{ commandId: anyId }, noSuch],
  cancel_command: [{ commandId: anyId }, noSuch],
};

describe("the official inspector, over stdio", () => {
  it.each(["legacy", "modern"])("lists every tool and finds no error in a schema (%s era)", async (era) => {
    const { stdout, code } = await inspect("--method", "tools/list", "--strict", "--protocol-era", era);
    const { tools: listed } = JSON.parse(stdout).result as { tools: { name: string }[] };
    expect(listed.map(({ name }) => name)).toEqual(Object.keys(tools));
    expect(code).toBe(0);
  });

  it.each(Object.entries(tools))("calls %s", async (name, [args, refusal]) => {
    const call = ["--method", "tools/call", "--tool-name", name, "--tool-args-json", JSON.stringify(args)];
    const { stdout } = await inspect(...call);
    const { isError, content, structuredContent } = JSON.parse(stdout).result as Called;
    expect(content).toHaveLength(1);
    if (refusal) expect(content[0]?.text).toMatch(`${refusal}: `);
    else expect(JSON.parse(content[0]?.text ?? "")).toEqual(structuredContent);
    expect(isError ?? false).toBe(refusal !== undefined);
  });
});
