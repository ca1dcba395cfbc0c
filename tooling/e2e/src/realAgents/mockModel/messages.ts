import type { ServerResponse } from "node:http";
import { COMMAND, LAST_TEXT, type Reply, replyTo } from "./reply";

interface Asked {
  model: string;
  messages: unknown[];
  tools?: { name?: string }[];
}

/** Answers as https://docs.claude.com/en/docs/build-with-claude/streaming describes. */
export function answerMessages({ model, messages, tools = [] }: Asked, response: ServerResponse): Reply {
  const reply = replyTo({
    hasShell: tools.some(({ name }) => name === "Bash"),
    hasResult: JSON.stringify(messages).includes('"tool_result"'),
  });
  const send = (type: string, data: object) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  const usage = { input_tokens: 1, output_tokens: 1 };
  const message = { id: "msg_1", type: "message", role: "assistant", model, content: [], usage };
  response.writeHead(200, { "content-type": "text/event-stream" });
  send("message_start", { message: { ...message, stop_reason: null, stop_sequence: null } });
  const [block, delta, stop_reason] = reply === "command" ? toolUse : text;
  send("content_block_start", { index: 0, content_block: block });
  send("content_block_delta", { index: 0, delta });
  send("content_block_stop", { index: 0 });
  send("message_delta", { delta: { stop_reason, stop_sequence: null }, usage });
  send("message_stop", {});
  response.end();
  return reply;
}

const toolUse = [
  { type: "tool_use", id: "toolu_1", name: "Bash", input: {} },
  {
    type: "input_json_delta",
    partial_json: JSON.stringify({ command: COMMAND, description: "Makes a file" }),
  },
  "tool_use",
] as const;

const text = [{ type: "text", text: "" }, { type: "text_delta", text: LAST_TEXT }, "end_turn"] as const;
