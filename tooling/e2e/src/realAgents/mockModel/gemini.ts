import type { ServerResponse } from "node:http";
import { COMMAND, LAST_TEXT, type Reply, replyTo } from "./reply";

interface Asked {
  contents: { parts?: object[] }[];
  tools?: { functionDeclarations?: { name?: string }[] }[];
  generationConfig?: { responseMimeType?: string };
}

/** Answers as https://ai.google.dev/api/generate-content describes. */
export function answerGemini(url: string, asked: Asked, response: ServerResponse): Reply {
  const { contents, tools = [] } = asked;
  const reply = replyTo({
    hasShell: tools.some(({ functionDeclarations = [] }) =>
      functionDeclarations.some(({ name }) => name === "run_shell_command"),
    ),
    hasResult: JSON.stringify(contents).includes('"functionResponse"'),
  });
  const call = { name: "run_shell_command", args: { command: COMMAND, description: "Makes a file" } };
  // A text before the command: Gemini CLI's record does not show whether a text ends the turn.
  const parts = reply === "command" ? [{ text: "I make a file." }, { functionCall: call }] : [textOf(asked)];
  const json = JSON.stringify({
    candidates: [{ index: 0, content: { role: "model", parts }, finishReason: "STOP" }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
  });
  const isStream = url.includes(":streamGenerateContent");
  response.writeHead(200, { "content-type": isStream ? "text/event-stream" : "application/json" });
  response.end(isStream ? `data: ${json}\n\n` : json);
  return reply;
}

/** Gemini CLI asks in JSON which model to take and who speaks next. */
const textOf = ({ generationConfig }: Asked) => ({
  text:
    generationConfig?.responseMimeType === "application/json"
      ? JSON.stringify({ reasoning: "-", model_choice: "flash", next_speaker: "user" })
      : LAST_TEXT,
});
