import { once } from "node:events";
import { createServer, type IncomingMessage, request, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { selfSigned } from "@grove/testing/certificate";
import { afterAll } from "vitest";

/** A proxy's ways, beside passing requests on. */
interface ProxyOptions {
  /** The addresses that the proxy adds to x-forwarded-for. */
  adds?: string;
  /** The Host header that the proxy sends. */
  host?: string;
  /** Whether the proxy reads an answer to its end before it forwards anything. */
  holds?: boolean;
  /** How long the proxy holds back a request, as a busy server does. */
  delaysMs?: number;
  /** Ends a connection after so long a silence. */
  cutsMs?: number;
}

/** A reverse proxy in front of an API; closed after the file's tests. */
export async function proxyTo(target: string, options: ProxyOptions = {}): Promise<string> {
  const { adds = "192.0.2.1", host, holds = false, delaysMs = 0, cutsMs } = options;
  const proxy = createServer((incoming, outgoing) => {
    const headers = {
      ...incoming.headers,
      ...(adds !== "" && { "x-forwarded-for": adds }),
      ...(host !== undefined && { host }),
    };
    const upstream = request(new URL(incoming.url ?? "/", target), { method: incoming.method, headers });
    const passOn = async (answer: IncomingMessage) => {
      const body = holds ? await buffer(answer) : undefined;
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      if (body) return void outgoing.end(body);
      answer.pipe(outgoing);
      if (cutsMs !== undefined) outgoing.setTimeout(cutsMs, () => outgoing.destroy());
    };
    upstream.on("response", (answer) => void passOn(answer));
    upstream.on("error", () => outgoing.destroy());
    outgoing.on("close", () => upstream.destroy());
    setTimeout(() => incoming.pipe(upstream), delaysMs);
  });
  return `http://127.0.0.1:${await portOf(proxy)}`;
}

/** An address with an untrusted certificate. */
export async function untrusted(): Promise<string> {
  return `https://localhost:${await portOf(createTlsServer(selfSigned("localhost", 30)))}`;
}

async function portOf(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}
