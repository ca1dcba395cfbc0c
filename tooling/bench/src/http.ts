import { Agent, request } from "node:http";

/** Keeps connections open, so that only the first calls pay for them. */
const agent = new Agent({ keepAlive: true, noDelay: true });

export interface RequestOptions {
  headers?: Record<string, string>;
  /** Turns the request into a POST. */
  body?: unknown;
}

/**
 * The lightest call in Node, so that the benchmark measures the server and not the caller.
 * @returns the answer's body
 * @throws {Error} if the status is not 200
 */
export function send(url: string, { headers = {}, body }: RequestOptions = {}): Promise<string> {
  const content = body === undefined ? undefined : JSON.stringify(body);
  const method = content === undefined ? "GET" : "POST";
  const typed = content === undefined ? headers : { ...headers, "content-type": "application/json" };
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, method, headers: typed }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("error", reject);
      answer.on("end", () => {
        const text = Buffer.concat(chunks).toString("utf8");
        if (answer.statusCode === 200) resolve(text);
        else reject(new Error(`${method} ${url} answered ${answer.statusCode}: ${text.slice(0, 500)}`));
      });
    });
    sent.on("error", reject);
    sent.end(content);
  });
}
