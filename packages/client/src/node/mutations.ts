import * as http from "node:http";
import * as https from "node:https";
import { urlToHttpOptions } from "node:url";
import { MAX_BATCHED_CALLS } from "@grove/schemas";
import { TRPCClientError } from "@trpc/client";
import { keepAlive } from "./serverProof";

/** A larger mutation is sent alone, since the API accepts batches of at most 1 MiB. */
const MAX_BATCHED_BYTES = 8 * 1024;

const agents = { http: new http.Agent(keepAlive), https: new https.Agent(keepAlive) };

/** Makes a mutation and waits `withinMs` for its result; see `mutationsTo`. */
export type Mutate = (path: string, input: unknown, withinMs: number) => Promise<unknown>;

/** A mutation that waits for its batch. */
interface Waiting {
  path: string;
  body: string;
  withinMs: number;
  resolve(answer: unknown): void;
  reject(error: unknown): void;
}

/**
 * Makes mutations over persistent connections, in tRPC's own protocol. A mutation is sent immediately. While another
 * one is in flight, small mutations of the same turn of the event loop are sent as a batch. The batch's time-out is the
 * longest of its mutations. Redirects are not followed.
 *
 * tRPC's client and the built-in fetch take several times the processor time: `pnpm bench command` measures the device.
 * @param url the API's URL, including `/api/trpc`
 * @see https://trpc.io/docs/rpc
 */
export function mutationsTo(url: string, options: https.RequestOptions): Mutate {
  let address: Address | undefined;
  let inFlight = 0;
  let waiting: Waiting[] = [];

  async function post(path: string, body: string, withinMs: number): Promise<unknown> {
    address ??= addressOf(url);
    const { answer, giveUp } = send(address, { ...options, path: `${address.path}/${path}` }, body);
    const late = () => giveUp(new Error(`The API did not answer ${path} within ${withinMs} ms.`));
    const timer = setTimeout(late, withinMs);
    try {
      return parsed(await answer);
    } finally {
      clearTimeout(timer);
    }
  }

  async function postWaiting(): Promise<void> {
    const calls = waiting.slice(0, MAX_BATCHED_CALLS);
    waiting = waiting.slice(MAX_BATCHED_CALLS);
    if (waiting.length > 0) setImmediate(() => void postWaiting());
    const paths = calls.map(({ path }) => path).join(",");
    const inputs = calls.map(({ body }, n) => `"${n}":${body}`).join(",");
    const withinMs = Math.max(...calls.map((call) => call.withinMs));
    try {
      const answers = await post(`${paths}?batch=1`, `{${inputs}}`, withinMs);
      // An error of the whole request is one object.
      for (const [n, { resolve }] of calls.entries()) resolve(Array.isArray(answers) ? answers[n] : answers);
    } catch (error) {
      // A proxy with a lower limit than the API's has refused the batch. Its mutations may pass alone.
      if (isTooLarge(error) && calls.length > 1)
        for (const { path, body, withinMs, resolve, reject } of calls)
          post(path, body, withinMs).then(resolve, reject);
      else for (const { reject } of calls) reject(error);
    }
  }

  const postTogether = (path: string, body: string, withinMs: number): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(() => void postWaiting());
      waiting.push({ path, body, withinMs, resolve, reject });
    });

  return async (path, input, withinMs) => {
    const body = JSON.stringify(input);
    const isAlone = inFlight === 0 || Buffer.byteLength(body) > MAX_BATCHED_BYTES;
    inFlight++;
    try {
      return resultOf(await (isAlone ? post : postTogether)(path, body, withinMs));
    } finally {
      inFlight--;
    }
  };
}

/** A server other than the API answered, such as a proxy in front of it. */
export class UnexpectedAnswerError extends Error {
  override name = "UnexpectedAnswerError";
  /** The HTTP status. */
  readonly status: number;

  constructor(status: number) {
    super(`Expected an answer of the API, got HTTP ${status} without JSON.`);
    this.status = status;
  }
}

/** The HTTP status for a request that is larger than the server, or a proxy in front of it, accepts. */
const TOO_LARGE = 413;

const isTooLarge = (error: unknown) => error instanceof UnexpectedAnswerError && error.status === TOO_LARGE;

/** @throws {UnexpectedAnswerError} if another server answered */
function parsed({ status, text }: Awaited<Exchange["answer"]>): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UnexpectedAnswerError(status);
  }
}

/** @throws {TRPCClientError} with the API's error */
function resultOf(answer: unknown): unknown {
  const { result } = answer as { result?: { data: unknown } };
  if (!result) throw TRPCClientError.from(answer as Parameters<typeof TRPCClientError.from>[0]);
  return result.data;
}

/** Where requests go; parsed once for many requests. */
type Address = Pick<https.RequestOptions, "protocol" | "path">;

/** @throws {TypeError} if `url` is not a valid URL */
const addressOf = (url: string): Address => urlToHttpOptions(new URL(url));

interface Answer {
  status: number;
  text: string;
}

/** A request in flight. */
interface Exchange {
  /** The whole response; rejects with the network's own error. */
  answer: Promise<Answer>;
  /** Ends the request; `answer` rejects with the reason. */
  giveUp(reason: Error): void;
}

/**
 * Sends a request over a persistent connection. If the server has closed the kept-alive connection, the request is sent
 * again on another one. The request must therefore be idempotent. There is no AbortSignal, since listening to one takes
 * as long as making the request; callers use `giveUp`.
 */
function send(address: Address, options: https.RequestOptions, body: string): Exchange {
  const [{ request }, agent] =
    address.protocol === "https:" ? [https, agents.https] : ([http, agents.http] as const);
  let giveUp = (_reason: Error) => {};
  const answer = new Promise<Answer>((resolve, reject) => {
    const attempt = (isLast: boolean) => {
      let isAnswered = false;
      const sent = request({ ...address, agent, ...options }, (incoming) => {
        isAnswered = true;
        let text = "";
        incoming.setEncoding("utf8");
        incoming.on("data", (chunk: string) => {
          text += chunk;
        });
        incoming.on("error", reject);
        incoming.on("end", () => resolve({ status: incoming.statusCode ?? 0, text }));
      });
      let isGivenUp = false;
      sent.on("error", (error: NodeJS.ErrnoException) => {
        const wasClosed = sent.reusedSocket && closed.includes(error.code);
        if (wasClosed && !isAnswered && !isLast && !isGivenUp) attempt(true);
        else reject(error);
      });
      sent.end(body);
      giveUp = (reason) => {
        isGivenUp = true;
        reject(reason);
        sent.destroy();
      };
    };
    attempt(false);
  });
  return { answer, giveUp };
}

/** The errors of a connection that the server has closed. */
const closed: (string | undefined)[] = ["ECONNRESET", "EPIPE"];
