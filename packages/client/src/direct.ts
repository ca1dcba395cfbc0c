import * as http from "node:http";
import * as https from "node:https";
import { TRPCClientError } from "@trpc/client";
import { createParser } from "eventsource-parser";
import { type Address, addressOf, exchange } from "./exchange";
import type { AppRouter, Inputs, Outputs } from "./index";

/** The largest event is a command, whose parameters came in a request of 1 MiB; written anew, numbers may be longer. */
const MAX_EVENT_CHARACTERS = 8 * 1024 * 1024;
const MAX_REFUSAL_CHARACTERS = 64 * 1024;

export interface DirectOptions {
  /** Where the API is, without `/api/trpc`. */
  apiUrl: string;
  token: string;
  /** For connections other than the usual ones, over plain http. */
  agent?: http.Agent | undefined;
}

export interface StreamHandlers {
  onData(data: unknown): void;
  /** Once, when the stream is over, with the error if there was one; never after it was closed. */
  onEnd(error: unknown): void;
}

/** A router's procedures. */
type Names<Router extends keyof Inputs> = string & keyof Inputs[Router] & keyof Outputs[Router];

/**
 * Single calls and streams straight over HTTP, for a program on Node that waits for each: tRPC's client, with its links,
 * observables and web streams, takes as long as all else of a small call.
 */
export function createDirect({ apiUrl, token, agent }: DirectOptions) {
  const url = `${apiUrl.replace(/\/+$/, "")}/api/trpc`;
  const authorization = `Bearer ${token}`;
  const jsonHeaders = { "content-type": "application/json", authorization };
  let address: Address | undefined;
  return {
    /**
     * Calls a mutation, alone and at once, and waits `withinMs` for its answer. Redirects are not followed.
     * @throws TRPCClientError with what the API says; the network's own error when it is not reached
     * @see https://trpc.io/docs/rpc
     */
    async mutate<Router extends keyof Inputs, Name extends Names<Router>>(
      router: Router,
      name: Name,
      input: Inputs[Router][Name],
      withinMs: number,
    ): Promise<Outputs[Router][Name]> {
      address ??= addressOf(url);
      const path = `${address.path}/${router}.${name}`;
      const call = { method: "POST", path, headers: jsonHeaders, ...(agent && { agent }) };
      const { answer, giveUp } = exchange(address, call, JSON.stringify(input));
      const late = () =>
        giveUp(new Error(`The API has not answered ${router}.${name} within ${withinMs} ms.`));
      const timer = setTimeout(late, withinMs);
      try {
        const { status, text } = await answer;
        const said = JSON.parse(text) as { result: { data: Outputs[Router][Name] } };
        if (status >= 300) throw TRPCClientError.from(said);
        return said.result.data;
      } finally {
        clearTimeout(timer);
      }
    },

    /**
     * Makes one attempt at a subscription. tRPC's own client would connect again by itself, and does not tell why it was
     * refused.
     * @returns what closes it
     */
    subscribe<Router extends keyof Inputs, Name extends Names<Router>>(
      router: Router,
      name: Name,
      input: Inputs[Router][Name],
      handlers: StreamHandlers,
    ): () => void {
      const query = input === undefined ? "" : `?input=${encodeURIComponent(JSON.stringify(input))}`;
      return follow(`${url}/${router}.${name}${query}`, { headers: { authorization }, agent }, handlers);
    },
  };
}

/**
 * Server-sent events in tRPC's format.
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
function follow(
  url: string,
  { headers, agent }: Pick<http.RequestOptions, "agent"> & { headers: Record<string, string> },
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
    const options = { headers: { accept: "text/event-stream", ...headers }, ...(agent && { agent }) };
    request = get(url, options, onAnswer);
    request.on("error", end);
  } catch (error) {
    // What cannot be sent, such as a key that is no header, ends as what does not arrive: after this has returned.
    queueMicrotask(() => end(error));
  }
  return close;
}

/** What is said instead of a stream: by the API as with any call, or by something else in its place. */
async function refusalOf(answer: http.IncomingMessage): Promise<Error> {
  let text = "";
  for await (const part of answer) {
    text += part;
    if (text.length > MAX_REFUSAL_CHARACTERS) break;
  }
  const other = new Error(`Instead of a stream came the status ${answer.statusCode}.`);
  try {
    const error: TRPCClientError<AppRouter> = TRPCClientError.from(JSON.parse(text));
    return error.shape ? error : other;
  } catch {
    return other;
  }
}
