import type { IncomingMessage, ServerResponse } from "node:http";
import {
  NodeStreamableHTTPServerTransport,
  type StreamableHTTPServerTransportOptions,
  toNodeHandler,
  toWebRequest,
} from "@modelcontextprotocol/node";
import { createMcpHandler, isLegacyRequest } from "@modelcontextprotocol/server";
import type { Logger } from "../log";
import { createSdkServer } from "../sdk";
import type { ToolServer } from "../server";

export type HttpTransport = NodeStreamableHTTPServerTransport;

/** A session's transport over HTTP, of the older era. */
export const createHttpTransport = (
  options: Pick<
    StreamableHTTPServerTransportOptions,
    "enableJsonResponse" | "sessionIdGenerator" | "onsessioninitialized" | "onsessionclosed"
  >,
): HttpTransport => new NodeStreamableHTTPServerTransport(options);

/** Whether a request is of the older era, whose clients open sessions. */
export const isOlder = async (request: IncomingMessage, body: unknown): Promise<boolean> =>
  isLegacyRequest(await toWebRequest(request, body ?? {}), body);

/** Further subscriptions are refused. A subscription is a stream that stays open, and the tools never change. */
const MAX_SUBSCRIPTIONS = 256;

/** Answers requests of the newer era, each by itself. */
export interface Exchange {
  answer(
    server: ToolServer,
    request: IncomingMessage,
    response: ServerResponse,
    body: unknown,
  ): Promise<void>;
  close(): Promise<void>;
}

/** Makes the part of an HTTP server that answers requests of the newer era. */
export function createExchange(log: Logger): Exchange {
  const servers = new WeakMap<object, ToolServer>();
  const onerror = ({ message }: Error) => log.warn("protocol error", { error: message });
  const handler = createMcpHandler(
    ({ authInfo }) => {
      const server = authInfo && servers.get(authInfo);
      if (!server) throw new Error("The request has no caller.");
      return createSdkServer(server);
    },
    { legacy: "reject", maxSubscriptions: MAX_SUBSCRIPTIONS, onerror },
  );
  const handle = toNodeHandler(handler, { onerror });
  return {
    answer(server, request, response, body) {
      const auth = { token: "", clientId: "", scopes: [] };
      servers.set(auth, server);
      return handle(Object.assign(request, { auth }), response, body);
    },
    close: () => handler.close(),
  };
}
