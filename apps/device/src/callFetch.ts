import * as http from "node:http";
import * as https from "node:https";
import type { ClientOptions } from "@grove/client";

type CallFetch = NonNullable<ClientOptions["callFetch"]>;

/** Below the time after which a server closes an idle connection: Node's own does so after 5 s, Grove's after 72 s. */
const IDLE_MS = 4_000;

const agents = {
  "http:": new http.Agent({ keepAlive: true, timeout: IDLE_MS, noDelay: true }),
  "https:": new https.Agent({ keepAlive: true, timeout: IDLE_MS, noDelay: true }),
};

/**
 * As much of fetch as a call needs, on connections that stay open. The built-in one takes each small answer through web
 * streams, at several times the processor time, and a device makes a call for each command.
 */
export const callFetch: CallFetch = (input, init = {}) => {
  const url = new URL(String(input));
  const secure = url.protocol === "https:";
  return new Promise((resolve, reject) => {
    const options: https.RequestOptions = {
      agent: agents[secure ? "https:" : "http:"],
      method: init.method ?? "GET",
      headers: Object.fromEntries(new Headers(init.headers)),
      ...(init.signal && { signal: init.signal }),
    };
    const request = (secure ? https : http).request(url, options, (answer) => {
      const { statusCode = 0 } = answer;
      // Rare enough to leave to the one that knows how: a server that has moved.
      if (statusCode >= 300 && statusCode < 400) {
        answer.resume();
        return resolve(fetch(url, init as RequestInit));
      }
      let text = "";
      answer.setEncoding("utf8");
      answer.on("data", (chunk: string) => {
        text += chunk;
      });
      answer.on("error", reject);
      answer.on("end", () => {
        resolve({ ok: statusCode < 300, json: async () => JSON.parse(text) });
      });
    });
    request.on("error", reject);
    request.end(init.body);
  });
};
