/*
 * The plugin that a session's opencode loads (`dist/opencode.js`; https://opencode.ai/docs/plugins). It passes events
 * on to the device agent in the form of Claude Code's hooks. If a person answers a permission request, it replies to
 * opencode. Without a device agent it does nothing.
 */
import { connect, type Socket } from "node:net";
import { readHookEnv } from "./env";
import type { HookInput } from "./event";
import { GAVE_UP_LINE, PRINTED_LINE } from "./lines";

/** The fields of opencode's events that are read here. */
interface OpencodeEvent {
  type: string;
  properties: {
    id?: string;
    requestID?: string;
    permissionID?: string;
    sessionID?: string;
    info?: { id: string; parentID?: string };
    /** `next`: when it tries again, in milliseconds since 1970. */
    status?: { type: string; message?: string; next?: number };
    error?: { name?: string };
    permission?: string;
    patterns?: string[];
    metadata?: Record<string, unknown>;
    questions?: unknown[];
  };
}

type Reply = "once" | "always" | "reject";

interface Client {
  postSessionIdPermissionsPermissionId(call: {
    path: { id: string; permissionID: string };
    body: { response: Reply };
  }): Promise<unknown>;
}

interface HookAnswer {
  hookSpecificOutput: { decision: { behavior: "allow" | "deny"; updatedPermissions?: object[] } };
}

const { path, token } = readHookEnv();

/** Events of one millisecond keep their order. */
let lastAt = 0;
const nextAt = () => {
  lastAt = Math.max(lastAt + 1, Date.now());
  return lastAt;
};

function send(input: HookInput): Socket | undefined {
  if (!path || !token) return undefined;
  const line = `${JSON.stringify({ token, at: nextAt(), input })}\n`;
  const socket = connect(path).on("error", () => {});
  socket.write(line);
  return socket;
}

export const GrovePlugin = async ({ client }: { client: Client }) => {
  /** Sessions of subagents, whose turns are not the agent's own. */
  const subagents = new Set<string>();
  /** The connections that wait for the answer to a permission request, by its id. */
  const waiting = new Map<string, Socket>();
  /** The open questions, by the id of their request. */
  const questions = new Map<string, unknown[]>();

  const ask = (id: string, sessionID: string, input: HookInput) => {
    const socket = send(input);
    if (!socket) return;
    waiting.set(id, socket);
    let received = "";
    socket.setEncoding("utf8").on("data", (text: string) => {
      received += text;
      const answer = received.split("\n").find((line) => line !== "");
      if (answer === undefined || !received.endsWith("\n")) return;
      waiting.delete(id);
      const reply = replyOf(JSON.parse(JSON.parse(answer)));
      const call = { path: { id: sessionID, permissionID: id }, body: { response: reply } };
      client.postSessionIdPermissionsPermissionId(call).then(
        () => socket.end(PRINTED_LINE),
        () => socket.end(GAVE_UP_LINE),
      );
    });
  };

  return {
    event: async ({ event: { type, properties } }: { event: OpencodeEvent }) => {
      const { sessionID = "", info } = properties;
      if (info?.parentID) subagents.add(info.id);
      if (subagents.has(sessionID)) return;
      switch (type) {
        case "session.status":
          if (properties.status?.type === "busy") send({ hook_event_name: "UserPromptSubmit" })?.end();
          if (properties.status?.type === "retry")
            send({
              hook_event_name: "StopFailure",
              error: "rate_limit",
              limited_until: properties.status.next,
            })?.end();
          break;
        case "session.idle":
          send({ hook_event_name: "Stop" })?.end();
          break;
        case "session.error":
          send({ hook_event_name: "StopFailure", error: properties.error?.name ?? "error" })?.end();
          break;
        case "permission.asked":
          ask(properties.id ?? "", sessionID, {
            hook_event_name: "PermissionRequest",
            tool_name: properties.permission ?? "tool",
            tool_input: inputOf(properties),
            // opencode's own prompt offers to allow the same for the rest of the session.
            permission_suggestions: [{ type: "addRules" }],
          });
          break;
        case "question.asked":
          questions.set(properties.id ?? "", properties.questions ?? []);
          send({
            hook_event_name: "PermissionRequest",
            ...questionTool(questions, properties.id),
            is_answerable: false,
          })?.end();
          break;
        case "question.replied":
        case "question.rejected":
          send({ hook_event_name: "PostToolUse", ...questionTool(questions, properties.requestID) })?.end();
          questions.delete(properties.requestID ?? "");
          break;
        case "permission.replied":
          // opencode's own prompt was answered.
          waiting.get(properties.requestID ?? properties.permissionID ?? "")?.destroy();
          break;
      }
    },
  };
};

/** Questions as Claude Code's tool that asks them. Only opencode's own prompt takes the answers. */
const questionTool = (questions: ReadonlyMap<string, unknown[]>, id = "") => ({
  tool_name: "AskUserQuestion",
  tool_input: { questions: questions.get(id) ?? [] },
});

const inputOf = ({ patterns, metadata }: OpencodeEvent["properties"]): Record<string, unknown> =>
  metadata && Object.keys(metadata).length > 0 ? metadata : { patterns };

function replyOf({ hookSpecificOutput: { decision } }: HookAnswer): Reply {
  if (decision.behavior === "deny") return "reject";
  return decision.updatedPermissions ? "always" : "once";
}
