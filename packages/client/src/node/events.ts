import * as http from "node:http";
import * as https from "node:https";
import { TRPCClientError } from "@trpc/client";
import { createParser } from "eventsource-parser";
import type { AppRouter } from "../index";

/** The largest event is a command. Its parameters came in a request of 1 MiB; serialized again, numbers may grow. */
const MAX_EVENT_CHARACTERS = 8 * 1024 * 1024;
const MAX_REFUSAL_CHARACTERS = 64 * 1024;

export interface StreamHandlers {
  onData(data: unknown): void;
  /** Called once, when the stream ends, with the error if there was one. Never called after `close`. */
  onEnd(error: unknown): void;
}

export interface StreamOptions {
  headers: Record<string, string>;
  agent: http.Agent | undefined;
}

/**
 * Reads server-sent events in tRPC's format until the stream ends.
 * @returns a function that closes the stream
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export function followEvents(
  url: string,
  { headers, agent }: StreamOptions,
  { onData, onEnd }: StreamHandlers,
): () => void {
  let over = false;
  let request: http.ClientRequest | undefined;
  const close = () => {
    over = true;
    request?.destroy();
  };
  const end = (error?: unknown) => {
    if (over) return;
    close();
    onEnd(error);
  };
  const parser = createParser({
    maxBufferSize: MAX_EVENT_CHARACTERS,
    onEvent({ event, data }) {
      if (over) return;
      if (event === undefined) onData(JSON.parse(data));
      else if (event === "return") end();
      else if (event === "serialized-error") end(TRPCClientError.from({ error: JSON.parse(data) }));
    },
    onError: (error) => error.type === "max-buffer-size-exceeded" && end(error),
  });
  const onText = (text: string) => {
    try {
      parser.feed(text);
    } catch (error) {
      end(error);
    }
  };
  const onAnswer = (answer: http.IncomingMessage) => {
    answer.setEncoding("utf8").on("error", end);
    if (answer.statusCode === 200) answer.on("data", onText).on("end", () => end());
    else refusalOf(answer).then(end, end);
  };
  try {
    const { get } = new URL(url).protocol === "https:" ? https : http;
    request = get(url, { headers: { accept: "text/event-stream", ...headers }, agent }, onAnswer);
    request.on("error", end);
  } catch (error) {
    // A request that cannot be sent, for instance because the key is not a valid header, also fails asynchronously.
    queueMicrotask(() => end(error));
  }
  return close;
}

/** The error of an answer that is not a stream: the API's own, or the status if something else answered. */
async function refusalOf(answer: http.IncomingMessage): Promise<Error> {
  let text = "";
  for await (const part of answer) {
    text += part;
    if (text.length > MAX_REFUSAL_CHARACTERS) break;
  }
  const other = new Error(`Expected an event stream, got HTTP ${answer.statusCode}.`);
  try {
    const error: TRPCClientError<AppRouter> = TRPCClientError.from(JSON.parse(text));
    return error.shape ? error : other;
  } catch {
    return other;
  }
}
