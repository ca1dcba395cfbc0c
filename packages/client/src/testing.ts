import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { type AnyRouter, initTRPC } from "@trpc/server";
import { createHTTPHandler } from "@trpc/server/adapters/standalone";
import { onTestFinished } from "vitest";

/** A received request. */
export interface Seen {
  method: string;
  path: string;
  /** The procedures it calls. */
  calls: string[];
  authorization: string | undefined;
  /** The device that it names. */
  device: string | string[] | undefined;
}

/** A stock tRPC server under `prefix`, which records its requests. It ends with the test. */
export async function serve(router: AnyRouter, prefix = "") {
  const seen: Seen[] = [];
  const handler = createHTTPHandler({ router, basePath: `${prefix}/api/trpc/` });
  const url = await listen((request, response) => {
    seen.push(asSeen(request, `${prefix}/api/trpc/`));
    handler(request, response);
  });
  return { apiUrl: `${url}${prefix}`, seen };
}

/** Starts an HTTP server with this listener and returns its address. It ends with the test. */
export async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function asSeen({ method = "", url = "", headers }: IncomingMessage, basePath: string): Seen {
  const { pathname } = new URL(url, "http://localhost");
  const calls = decodeURIComponent(pathname.slice(basePath.length)).split(",");
  return {
    method,
    path: pathname,
    calls,
    authorization: headers.authorization,
    device: headers["x-grove-device"],
  };
}

export const t = initTRPC.create();
