import * as http from "node:http";
import * as https from "node:https";
import { TRPCClientError } from "@trpc/client";
import { createParser } from "eventsource-parser";
import { type AppRouter, createClient, DEVICE_HEADER, type Inputs, type Outputs } from "../index";
import { mutationsTo } from "./mutations";

export { UnexpectedAnswerError } from "./mutations";

import { createProvenFetch, type ProvenAgent } from "./serverProof";

/** The largest event is a command. Its parameters came in a request of 1 MiB; serialized again, numbers may grow. */
const MAX_EVENT_CHARACTERS = 8 * 1024 * 1024;
const MAX_REFUSAL_CHARACTERS = 64 * 1024;

export interface TransportOptions {
  /** Where the API is, without `/api/trpc`. */
  apiUrl: string;
  token: string;
  /** The device that makes these calls. */
  deviceId?: string | undefined;
  /** Requires that the API proves its identity on each connection. Used for plain http. */
  agent?: ProvenAgent | undefined;
}

interface StreamHandlers {
  onData(data: unknown): void;
  /** Called once, when the stream ends, with the error if there was one. Never called after `close`. */
  onEnd(error: unknown): void;
}

/** A router's procedures. */
type Names<Router extends keyof Inputs> = string & keyof Inputs[Router] & keyof Outputs[Router];

/**
 * Makes the clients of a Node program that calls the API constantly: the typed client, faster mutations, and
 * subscriptions that report why they ended. `pnpm bench command` measures the difference.
 */
export function createTransport({ apiUrl, token, deviceId, agent }: TransportOptions) {
  const url = `${apiUrl.replace(/\/+$/, "")}/api/trpc`;
  const headers = {
    authorization: `Bearer ${token}`,
    ...(deviceId !== undefined && { [DEVICE_HEADER]: deviceId }),
  };
  const postOptions = {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    ...(agent && { agent }),
  };
  const client = createClient({ apiUrl, token, deviceId, fetch: agent && createProvenFetch(agent) });
  const send = mutationsTo(url, postOptions);

  return {
    /** For every other call. */
    client,

    /**
     * Sends a mutation that a caller waits for. Its response may take `withinMs`; see `mutationsTo`.
     * @throws {TRPCClientError} with the API's error
     * @throws {Error} the network's, if the API cannot be reached
     */
    async mutate<Router extends keyof Inputs, Name extends Names<Router>>(
      router: Router,
      name: Name,
      input: Inputs[Router][Name],
      withinMs: number,
    ): Promise<Outputs[Router][Name]> {
      return (await send(`${router}.${name}`, input, withinMs)) as Outputs[Router][Name];
    },

    /**
     * Makes one attempt at a subscription. The typed client would reconnect by itself, and does not report why the
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
      return followEvents(`${url}/${router}.${name}${query}`, { headers, agent }, handlers);
    },
  };
}

/**
 * Reads server-sent events in tRPC's format until the stream ends.
 * @returns a function that closes the stream
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
function followEvents(
  url: string,
  { headers, agent }: { headers: Record<string, string>; agent: http.Agent | undefined },
  { onData, onEnd }: StreamHandlers,
): () => void {
  let isEnded = false;
  let request: http.ClientRequest | undefined;
  const close = () => {
    isEnded = true;
    request?.destroy();
  };
  const end = (error?: unknown) => {
    if (isEnded) return;
    close();
    onEnd(error);
  };
  const parser = createParser({
    maxBufferSize: MAX_EVENT_CHARACTERS,
    onEvent({ event, data }) {
      if (isEnded) return;
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

/** The error of a response that is not a stream: the API's own, or the status if something else answered. */
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
