import * as http from "node:http";
import * as https from "node:https";
import { urlToHttpOptions } from "node:url";

/** Shorter than the time after which a server closes an idle connection: 5 s for Node's own, 72 s for Grove's. */
const IDLE_MS = 4_000;

const agents = {
  http: new http.Agent({ keepAlive: true, timeout: IDLE_MS, noDelay: true }),
  https: new https.Agent({ keepAlive: true, timeout: IDLE_MS, noDelay: true }),
};

/** Where requests go; parsed once for many requests. */
export type Address = Pick<https.RequestOptions, "protocol" | "path">;

/** @throws {TypeError} if `url` is not a valid URL */
export const addressOf = (url: string): Address => urlToHttpOptions(new URL(url));

/** A request in flight. */
export interface Exchange {
  /** The whole answer; rejects with the network's own error. */
  answer: Promise<{ status: number; text: string }>;
  /** Ends the request; `answer` rejects with the reason. */
  giveUp(reason: Error): void;
}

/**
 * Sends a request over a persistent connection. It takes no AbortSignal, since listening to one takes as long as making
 * the request; callers use `giveUp`.
 */
export function exchange(address: Address, options: https.RequestOptions, body?: unknown): Exchange {
  const [{ request }, agent] =
    address.protocol === "https:" ? [https, agents.https] : ([http, agents.http] as const);
  let giveUp = (_reason: Error) => {};
  const answer = new Promise<{ status: number; text: string }>((resolve, reject) => {
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
