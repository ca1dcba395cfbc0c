import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { answerCompletions } from "./completions";
import { answerGemini } from "./gemini";
import { answerMessages } from "./messages";
import type { Reply } from "./reply";
import { answerResponses } from "./responses";

export interface MockModel {
  readonly url: string;
  /** When the model last ended a turn, in milliseconds since 1970. */
  readonly turnEndedAt: number;
  /** Holds back all answers until the returned function is called. Until then, the agent works. */
  hold(): () => void;
}

/**
 * Starts a model server for the real agents, without a model. It speaks Anthropic's Messages API, OpenAI's Chat
 * Completions and Responses APIs, and Gemini's API, each as a stream.
 */
export async function startMockModel(atEnd: (undo: () => unknown) => void): Promise<MockModel> {
  let turnEndedAt = 0;
  let held = Promise.resolve();
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text) => {
      body += text;
    });
    const reply = async () => {
      await held;
      if (answer(request.url ?? "", body, response) === "end") turnEndedAt = Date.now();
    };
    request.on("end", () => void reply());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  atEnd(() => server.close());
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get turnEndedAt() {
      return turnEndedAt;
    },
    hold: () => {
      let release = () => {};
      held = new Promise((resolve) => {
        release = resolve;
      });
      return () => release();
    },
  };
}

function answer(url: string, body: string, response: ServerResponse): Reply | undefined {
  if (url.includes("count_tokens")) response.end('{"input_tokens":1}');
  else if (url.includes("/v1/messages")) return answerMessages(JSON.parse(body), response);
  else if (url.includes("/chat/completions")) return answerCompletions(JSON.parse(body), response);
  else if (url.includes("/responses")) return answerResponses(JSON.parse(body), response);
  else if (url.includes(":countTokens")) response.end('{"totalTokens":1}');
  else if (/:(g|streamG)enerateContent/.test(url)) return answerGemini(url, JSON.parse(body), response);
  else response.writeHead(404).end();
  return undefined;
}
