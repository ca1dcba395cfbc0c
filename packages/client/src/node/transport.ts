import { createClient, DEVICE_HEADER, type Inputs, type Outputs } from "../index";
import { followEvents, type StreamHandlers } from "./events";
import { mutationsTo } from "./mutations";
import { createProvenFetch, type ProvenAgent } from "./proven";

export interface TransportOptions {
  /** Where the API is, without `/api/trpc`. */
  apiUrl: string;
  token: string;
  /** The device that makes these calls. */
  deviceId?: string | undefined;
  /** Makes the API prove itself on each connection; for plain http. */
  agent?: ProvenAgent | undefined;
}

/** A router's procedures. */
type Names<Router extends keyof Inputs> = string & keyof Inputs[Router] & keyof Outputs[Router];

/**
 * The API for a program on Node that calls it all the time: the typed client and, beside it, faster mutations and
 * subscriptions that say why they ended. `pnpm bench command` measures the difference.
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
     * Makes a mutation that someone waits for, and waits `withinMs` for its answer; see `mutationsTo`.
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
