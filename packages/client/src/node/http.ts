import * as http from "node:http";
import * as https from "node:https";
import { urlToHttpOptions } from "node:url";

/** For connections to the API. They close before a server does: after 5 s for Node's own, after 72 s for Grove's. */
export const keepAlive = { keepAlive: true, timeout: 4_000, noDelay: true };

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
 * Sends a request over a persistent connection. It takes no AbortSignal, since listening to one takes as long as making
 * the request; callers use `giveUp`.
 */
export function send(address: Address, options: https.RequestOptions, body: string): Exchange {
  const [{ request }, agent] =
    address.protocol === "https:" ? [https, agents.https] : ([http, agents.http] as const);
  let giveUp = (_reason: Error) => {};
  const answer = new Promise<Answer>((resolve, reject) => {
    const sent = request({ ...address, agent, ...options }, (incoming) => {
      let text = "";
      incoming.setEncoding("utf8");
      incoming.on("data", (chunk: string) => {
        text += chunk;
      });
      incoming.on("error", reject);
      incoming.on("end", () => resolve({ status: incoming.statusCode ?? 0, text }));
    });
    sent.on("error", reject);
    sent.end(body);
    giveUp = (reason) => {
      reject(reason);
      sent.destroy();
    };
  });
  return { answer, giveUp };
}
