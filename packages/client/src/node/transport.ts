import { getUntypedClient, TRPCClientError } from "@trpc/client";
import { createClient, type Inputs, type Outputs } from "../index";
import { followEvents, type StreamHandlers } from "./events";
import { type Address, type Answer, addressOf, send } from "./http";
import { createProvenFetch, type ProvenAgent } from "./proven";

/** A batch holds up to 100 calls and 1 MiB, so a mutation larger than this is sent alone. */
const BATCHED_BYTES = 8 * 1024;

export interface TransportOptions {
  /** Where the API is, without `/api/trpc`. */
  apiUrl: string;
  token: string;
  /** Makes the API prove itself on each connection; for plain http. */
  agent?: ProvenAgent | undefined;
}

/** A router's procedures. */
type Names<Router extends keyof Inputs> = string & keyof Inputs[Router] & keyof Outputs[Router];

/**
 * The API for a program on Node that calls it all the time: the typed client, and what that client is too slow for or
 * lacks. `pnpm bench command` measures the difference.
 */
export function createTransport({ apiUrl, token, agent }: TransportOptions) {
  const url = `${apiUrl.replace(/\/+$/, "")}/api/trpc`;
  const authorization = `Bearer ${token}`;
  const postOptions = {
    method: "POST",
    headers: { "content-type": "application/json", authorization },
    ...(agent && { agent }),
  };
  const client = createClient({ apiUrl, token, fetch: agent && createProvenFetch(agent) });
  const untyped = getUntypedClient(client);
  let address: Address | undefined;
  let inFlight = 0;

  /** Sends one mutation by itself. Redirects are not followed. */
  function post(path: string, body: string) {
    address ??= addressOf(url);
    const { answer, giveUp } = send(address, { ...postOptions, path: `${address.path}/${path}` }, body);
    return { answer: answer.then(resultOf), giveUp };
  }

  /** Sends a mutation together with the others of this tick. */
  function batch(path: string, input: unknown) {
    const call = new AbortController();
    const answer = untyped.mutation(path, input, { signal: call.signal });
    return { answer, giveUp: (reason: Error) => call.abort(reason) };
  }

  return {
    /** For all calls that are not made for every command. */
    client,

    /**
     * Makes a mutation that someone waits for, and waits `withinMs` for its answer. It is sent immediately; only while
     * another one is in flight, small ones are sent in batches.
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
      const path = `${router}.${name}`;
      const body = JSON.stringify(input);
      const isAlone = inFlight === 0 || Buffer.byteLength(body) > BATCHED_BYTES;
      inFlight++;
      let timer: NodeJS.Timeout | undefined;
      try {
        const { answer, giveUp } = isAlone ? post(path, body) : batch(path, input);
        const late = () => giveUp(new Error(`The API did not answer ${path} within ${withinMs} ms.`));
        timer = setTimeout(late, withinMs);
        return (await answer) as Outputs[Router][Name];
      } finally {
        clearTimeout(timer);
        inFlight--;
      }
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
      return followEvents(`${url}/${router}.${name}${query}`, { authorization, agent }, handlers);
    },
  };
}

/** @throws {TRPCClientError} with the API's error */
function resultOf({ status, text }: Answer): unknown {
  const parsed = JSON.parse(text) as { result: { data: unknown } };
  if (status >= 300) throw TRPCClientError.from(parsed);
  return parsed.result.data;
}
