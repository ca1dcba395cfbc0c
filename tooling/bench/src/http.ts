import { Agent, request } from "node:http";

/** Keeps its connections, so that only the first calls pay for them. */
const agent = new Agent({ keepAlive: true, noDelay: true });

export interface RequestOptions {
  headers?: Record<string, string>;
  /** Makes it a POST. */
  body?: unknown;
}

/**
 * The lightest call that node has: what is measured is the server, not the caller.
 * @returns the answer's body
 * @throws when the answer is not 200
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
