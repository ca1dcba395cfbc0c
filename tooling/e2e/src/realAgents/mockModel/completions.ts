import type { ServerResponse } from "node:http";
import { COMMAND, LAST_TEXT, type Reply, replyTo } from "./reply";

interface Asked {
  model: string;
  messages: { role: string }[];
  tools?: { function?: { name: string } }[];
}

/** Answers as https://platform.openai.com/docs/api-reference/chat-streaming describes. */
export function answerCompletions({ model, messages, tools = [] }: Asked, response: ServerResponse): Reply {
  const reply = replyTo({
    hasShell: tools.some((tool) => tool.function?.name === "bash"),
    hasResult: messages.some(({ role }) => role === "tool"),
  });
  const send = (delta: object, finish_reason: string | null) => {
    const choices = [{ index: 0, delta, finish_reason }];
    const chunk = { id: "c", object: "chat.completion.chunk", created: 1, model, choices };
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  };
  response.writeHead(200, { "content-type": "text/event-stream" });
  if (reply === "command") {
    const json = JSON.stringify({ command: COMMAND, description: "Makes a file" });
    const call = { index: 0, id: "call_1", type: "function", function: { name: "bash", arguments: json } };
    send({ role: "assistant", tool_calls: [call] }, null);
    send({}, "tool_calls");
  } else {
    send({ role: "assistant", content: LAST_TEXT }, null);
    send({}, "stop");
  }
  response.end("data: [DONE]\n\n");
  return reply;
}
