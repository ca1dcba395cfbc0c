import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** The command that the model wants to run first. After its result, it is done. */
const COMMAND = "touch made-by-the-model.txt";

/**
 * A model server for the real agents, without a model: it speaks Anthropic's Messages API, and OpenAI's Chat
 * Completions and Responses APIs, each as a stream.
 * @returns its address
 */
export async function startMockModel(atEnd: (undo: () => unknown) => void): Promise<string> {
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text) => {
      body += text;
    });
    request.on("end", () => answer(request.url ?? "", body, response));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  atEnd(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function answer(url: string, body: string, response: ServerResponse): void {
  if (url.includes("count_tokens")) response.end('{"input_tokens":1}');
  else if (url.includes("/v1/messages")) answerMessages(JSON.parse(body), response);
  else if (url.includes("/chat/completions")) answerCompletions(JSON.parse(body), response);
  else if (url.includes("/responses")) answerResponses(JSON.parse(body), response);
  else response.writeHead(404).end();
}

interface Asked {
  model: string;
  messages: { role: string }[];
  tools?: { name?: string; function?: { name: string } }[];
}

/** Agents also ask for titles, without tools. */
const wantsTool = ({ tools = [], messages }: Asked) =>
  tools.some((tool) => /^bash$/i.test(tool.name ?? tool.function?.name ?? "")) &&
  !/"tool_result"|"role":"tool"/.test(JSON.stringify(messages));

/** https://docs.claude.com/en/docs/build-with-claude/streaming */
function answerMessages(asked: Asked, response: ServerResponse): void {
  const send = (type: string, data: object) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  const isTool = wantsTool(asked);
  const usage = { input_tokens: 1, output_tokens: 1 };
  const message = { id: "msg_1", type: "message", role: "assistant", model: asked.model, content: [], usage };
  response.writeHead(200, { "content-type": "text/event-stream" });
  send("message_start", { message: { ...message, stop_reason: null, stop_sequence: null } });
  const tool = { type: "tool_use", id: "toolu_1", name: "Bash", input: {} };
  send("content_block_start", { index: 0, content_block: isTool ? tool : { type: "text", text: "" } });
  const json = JSON.stringify({ command: COMMAND, description: "Makes a file" });
  const delta = isTool
    ? { type: "input_json_delta", partial_json: json }
    : { type: "text_delta", text: "All done." };
  send("content_block_delta", { index: 0, delta });
  send("content_block_stop", { index: 0 });
  send("message_delta", {
    delta: { stop_reason: isTool ? "tool_use" : "end_turn", stop_sequence: null },
    usage,
  });
  send("message_stop", {});
  response.end();
}

/** https://platform.openai.com/docs/api-reference/chat-streaming */
function answerCompletions(asked: Asked, response: ServerResponse): void {
  const send = (delta: object, finish_reason: string | null) => {
    const choices = [{ index: 0, delta, finish_reason }];
    const chunk = { id: "c", object: "chat.completion.chunk", created: 1, model: asked.model, choices };
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  };
  response.writeHead(200, { "content-type": "text/event-stream" });
  if (wantsTool(asked)) {
    const json = JSON.stringify({ command: COMMAND, description: "Makes a file" });
    const call = { index: 0, id: "call_1", type: "function", function: { name: "bash", arguments: json } };
    send({ role: "assistant", tool_calls: [call] }, null);
    send({}, "tool_calls");
  } else {
    send({ role: "assistant", content: "All done." }, null);
    send({}, "stop");
  }
  response.end("data: [DONE]\n\n");
}

interface AskedResponses {
  input: { type?: string }[];
  tools?: { name?: string }[];
}

/** https://platform.openai.com/docs/api-reference/responses-streaming */
function answerResponses({ input, tools = [] }: AskedResponses, response: ServerResponse): void {
  const send = (type: string, data: object) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  const tool = tools.find(({ name }) => name === "exec_command" || name === "shell_command");
  const isDone = !tool || input.some(({ type }) => type === "function_call_output");
  const command = { cmd: COMMAND, command: COMMAND };
  const escalated = { sandbox_permissions: "require_escalated", justification: "Makes a file" };
  const call = {
    type: "function_call",
    id: "fc_1",
    call_id: "call_1",
    name: tool?.name,
    arguments: JSON.stringify({ ...command, ...escalated }),
  };
  const content = [{ type: "output_text", text: "All done." }];
  const message = { type: "message", id: "msg_1", role: "assistant", content };
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
  response.writeHead(200, { "content-type": "text/event-stream" });
  send("response.created", { response: { id: "resp_1" } });
  send("response.output_item.done", { output_index: 0, item: isDone ? message : call });
  send("response.completed", { response: { id: "resp_1", usage } });
  response.end();
}
