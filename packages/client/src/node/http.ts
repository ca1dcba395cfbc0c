import * as http from "node:http";
import * as https from "node:https";
import { urlToHttpOptions } from "node:url";

/**
 * For connections to the API. An idle one outlasts the pause between two beats, and closes before Grove's server does,
 * which is after 72 s. A server that closes earlier usually says so in its `Keep-Alive` header, which Node obeys.
 */
export const keepAlive = { keepAlive: true, timeout: 60_000, noDelay: true };

const agents = { http: new http.Agent(keepAlive), https: new https.Agent(keepAlive) };

/** Where requests go; parsed once for many requests. */
export type Address = Pick<https.RequestOptions, "protocol" | "path">;

/** @throws {TypeError} if `url` is not a valid URL */
export const addressOf = (url: string): Address => urlToHttpOptions(new URL(url));

interface Answer {
  status: number;
  text: string;
}

/** A request in flight. */
export interface Exchange {
  /** The whole answer; rejects with the network's own error. */
  answer: Promise<Answer>;
  /** Ends the request; `answer` rejects with the reason. */
  giveUp(reason: Error): void;
}

/**
 * Sends a request over a persistent connection. If the server has closed a connection that was kept, the request is
 * sent again on another one. So its repetition must change nothing. It takes no AbortSignal, since listening to one
 * takes as long as making the request; callers use `giveUp`.
 */
export function send(address: Address, options: https.RequestOptions, body: string): Exchange {
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
