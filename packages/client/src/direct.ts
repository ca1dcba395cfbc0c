import * as http from "node:http";
import * as https from "node:https";
import { TRPCClientError } from "@trpc/client";
import { createParser } from "eventsource-parser";
import { type Address, addressOf, exchange } from "./exchange";
import type { AppRouter, Inputs, Outputs } from "./index";

/** The largest event is a command. Its parameters came in a request of 1 MiB; serialized again, numbers may grow. */
const MAX_EVENT_CHARACTERS = 8 * 1024 * 1024;
const MAX_REFUSAL_CHARACTERS = 64 * 1024;

export interface DirectOptions {
  /** Where the API is, without `/api/trpc`. */
  apiUrl: string;
  token: string;
  /** Replaces the default connections; for plain http. */
  agent?: http.Agent | undefined;
}

export interface StreamHandlers {
  onData(data: unknown): void;
  /** Called once, when the stream ends, with the error if there was one. Never called after `close`. */
  onEnd(error: unknown): void;
}

/** A router's procedures. */
type Names<Router extends keyof Inputs> = string & keyof Inputs[Router] & keyof Outputs[Router];

/**
 * Single calls and streams directly over HTTP, for a program on Node that waits for each of them. tRPC's client, with
 * its links, observables and web streams, takes as long as the rest of a small call.
 */
export function createDirect({ apiUrl, token, agent }: DirectOptions) {
  const url = `${apiUrl.replace(/\/+$/, "")}/api/trpc`;
  const authorization = `Bearer ${token}`;
  const jsonHeaders = { "content-type": "application/json", authorization };
  let address: Address | undefined;
  return {
    /**
     * Calls a mutation immediately and alone, and waits `withinMs` for its answer. Redirects are not followed.
     * @throws {TRPCClientError} with the API's error
     * @throws {Error} the network's, if the API cannot be reached
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
      const late = () => giveUp(new Error(`The API did not answer ${router}.${name} within ${withinMs} ms.`));
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
     * Makes one attempt at a subscription. tRPC's own client would reconnect by itself, and does not report why the
     * subscription was refused.
     * @returns a function that closes the stream
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
 * Reads server-sent events in tRPC's format.
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
