import type { ServerResponse } from "node:http";
import { COMMAND, LAST_TEXT, type Reply, replyTo } from "./reply";

interface Asked {
  input: { type?: string }[];
  tools?: { name?: string }[];
}

/** Answers as https://platform.openai.com/docs/api-reference/responses-streaming describes. */
export function answerResponses({ input, tools = [] }: Asked, response: ServerResponse): Reply {
  const tool = tools.find(({ name }) => name === "exec_command" || name === "shell_command");
  const reply = replyTo({
    hasShell: tool !== undefined,
    hasResult: input.some(({ type }) => type === "function_call_output"),
  });
  const send = (type: string, data: object) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  const command = { cmd: COMMAND, command: COMMAND };
  const escalated = { sandbox_permissions: "require_escalated", justification: "Makes a file" };
  const call = {
    type: "function_call",
    id: "fc_1",
    call_id: "call_1",
    name: tool?.name,
    arguments: JSON.stringify({ ...command, ...escalated }),
  };
  const content = [{ type: "output_text", text: LAST_TEXT }];
  const message = { type: "message", id: "msg_1", role: "assistant", content };
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
  response.writeHead(200, { "content-type": "text/event-stream" });
  send("response.created", { response: { id: "resp_1" } });
  send("response.output_item.done", { output_index: 0, item: reply === "command" ? call : message });
  send("response.completed", { response: { id: "resp_1", usage } });
  response.end();
  return reply;
}
