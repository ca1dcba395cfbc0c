import { Agent, request } from "node:http";

/** Keeps connections open, as a proxy does, so that only the first calls pay for them. */
const keepAlive = new Agent({ keepAlive: true, noDelay: true, maxFreeSockets: 2_000 });

export interface RequestOptions {
  headers?: Record<string, string>;
  /** Turns the request into a POST. */
  body?: unknown;
  /** Bounds the connections. */
  agent?: Agent;
}

interface Answer {
  status: number;
  text: string;
}

/** The lightest call in Node, so that the benchmark measures the server and not the caller. */
export function answerOf(url: string, options: RequestOptions = {}): Promise<Answer> {
  const { headers = {}, body, agent = keepAlive } = options;
  const content = body === undefined ? undefined : JSON.stringify(body);
  const method = content === undefined ? "GET" : "POST";
  const typed = content === undefined ? headers : { ...headers, "content-type": "application/json" };
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, method, headers: typed }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("error", reject);
      answer.on("end", () => {
        resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString("utf8") });
      });
    });
    sent.on("error", reject);
    sent.end(content);
  });
}

/**
 * Returns the body of an answer.
 * @throws {Error} if its status is not 200
 */
export async function send(url: string, options?: RequestOptions): Promise<string> {
  const { status, text } = await answerOf(url, options);
  if (status !== 200) throw new Error(`${url} answered ${status}: ${text.slice(0, 500)}`);
  return text;
}
