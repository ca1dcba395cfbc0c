import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll } from "vitest";

export interface Received {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  /** The body, parsed if it is JSON, otherwise as text. */
  body: unknown;
}

/** A response. `hang` sends none, `cut` sends half of it. */
export interface Reply {
  status?: number;
  headers?: Record<string, string>;
  json?: unknown;
  text?: string;
  hang?: boolean;
  cut?: boolean;
}

export interface ProviderServer {
  url: string;
  received: Received[];
  /** Answers instead of the provider, while it is set. */
  override: ((request: Received) => Reply | undefined) | undefined;
  /** Whether an answer breaks off after its request took effect. */
  isCut: ((request: Received) => boolean) | undefined;
}

/**
 * A provider over real HTTP, until the file's tests are over. `handle` answers in its published wire format. A request
 * that it does not answer gets the provider's 404.
 */
export async function useProviderServer(
  handle: (request: Received) => Reply | undefined,
  notFound: unknown = { message: "Not Found" },
): Promise<ProviderServer> {
  const respond = async (incoming: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const url = new URL(incoming.url ?? "/", "http://provider.test");
    const request: Received = {
      method: incoming.method ?? "",
      path: url.pathname,
      query: url.searchParams,
      headers: incoming.headers,
      body: read(Buffer.concat(chunks).toString(), incoming.headers["content-type"]),
    };
    provider.received.push(request);
    const reply = provider.override?.(request) ?? handle(request) ?? { status: 404, json: notFound };
    answer(response, provider.isCut?.(request) ? { ...reply, cut: true } : reply);
  };
  const server = createServer((incoming, response) => {
    respond(incoming, response).catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const provider: ProviderServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: [],
    override: undefined,
    isCut: undefined,
  };
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return provider;
}

function read(text: string, type = ""): unknown {
  if (type.startsWith("application/x-www-form-urlencoded"))
    return Object.fromEntries(new URLSearchParams(text));
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function answer(response: ServerResponse, { status = 200, headers, json, text, hang, cut }: Reply): void {
  if (hang) return;
  const body = text ?? (json === undefined ? "" : JSON.stringify(json));
  const length = { "content-length": `${Buffer.byteLength(body)}` };
  response.writeHead(status, { "content-type": "application/json; charset=utf-8", ...length, ...headers });
  if (!cut) response.end(body);
  else response.write(body.slice(0, body.length / 2), () => response.destroy());
}

/** One page of a list by `page` and `per_page` (1 and 30 when omitted), with GitHub's header for the next page. */
export function pageOf(items: unknown[], { path, query }: Received, origin: string): Reply {
  const page = Number(query.get("page") ?? 1);
  const size = Number(query.get("per_page") ?? 30);
  const next = new URLSearchParams(query);
  next.set("page", `${page + 1}`);
  const link = `<${origin}${path}?${next}>; rel="next"`;
  const found = items.slice((page - 1) * size, page * size);
  return { json: found, headers: page * size < items.length ? { link } : {} };
}
