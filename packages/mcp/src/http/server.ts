import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { limit } from "@grove/signals";
import { AuthenticationRequired } from "../errors";
import { createHttpTransport } from "../httpTransport";
import type { Logger } from "../log";
import type { ToolServer } from "../server";
import { type Refusal, readCredential, refuseStranger, unknownCredential } from "./access";
import { defaultLimits, ownerOf, type Session, type SessionLimits, Sessions } from "./sessions";

export interface HttpOptions {
  /** Creates a session's server, which acts for this credential. */
  createServer(credential: string): ToolServer;
  /** The address under which clients know this server, in addition to loopback. */
  readonly publicUrl: string | undefined;
  readonly limits?: SessionLimits;
  readonly log: Logger;
}

export const PATH = "/mcp";

/** How often sessions that are over are looked for. */
const SWEEP_MS = 60_000;
/** More connections than the sessions need are refused. */
const MAX_CONNECTIONS = 1_024;
/** How long a client may take to send its request. */
const REQUEST_MS = 30_000;
/** How long checking a session's credential may take. */
const PROOF_MS = 5_000;

export interface McpHttpServer {
  readonly http: Server;
  /** Resolves when every request in progress has been answered. */
  idle(): Promise<unknown>;
  /** Aborts the calls in progress; resolves when they have been answered. */
  close(): Promise<void>;
}

/**
 * An MCP server over Streamable HTTP (specification 2025-11-25) at `/mcp`. Each session has a server of its own, bound
 * to the credential of its requests. Without a credential, or with a refused one, no session is opened: 401.
 */
export function createHttpServer(options: HttpOptions): McpHttpServer {
  const sessions = new Sessions(options.limits ?? defaultLimits);
  const answering = new Set<Promise<void>>();
  const http = createServer({ requestTimeout: REQUEST_MS }, (request, response) => {
    const answered = handle(options, sessions, request, response).catch((error: unknown) => {
      options.log.error("request failed", { error });
      if (!response.headersSent) refuse(response, { status: 500, message: "Internal error" });
    });
    if (!isWork(request)) return;
    answering.add(answered);
    void answered.then(() => answering.delete(answered));
  });
  http.maxConnections = MAX_CONNECTIONS;
  const sweep = setInterval(() => sessions.endOld(), SWEEP_MS).unref();
  http.once("close", () => clearInterval(sweep));
  return { http, idle: () => Promise.all(answering), close: () => sessions.close() };
}

/** A GET is the stream of notifications, which the client may keep open as long as it likes. */
const isWork = ({ method }: IncomingMessage): boolean => method !== "GET";

async function handle(
  options: HttpOptions,
  sessions: Sessions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { headers, url = "" } = request;
  const stranger = refuseStranger(headers, options.publicUrl);
  if (stranger) return refuse(response, stranger);
  if (url.split("?")[0] !== PATH) return refuse(response, { status: 404, message: `There is only ${PATH}` });
  const read = readCredential(headers.authorization);
  if (!("credential" in read)) return refuse(response, read);
  const owner = ownerOf(read.credential);
  if (await isBatch(request))
    return refuse(response, { status: 400, message: "Send one message per request, not a batch" }, -32600);

  const id = headers["mcp-session-id"];
  if (id === undefined) return open(options, sessions, read.credential, owner, request, response);
  const session = sessions.find(String(id), owner);
  if (session) return serve(session, request, response, sessions.now);
  refuse(response, { status: 404, message: "Session not found" }, -32001);
}

/**
 * Answers a request that names no session. The transport refuses any request but initialize; no session is left then.
 */
async function open(
  { createServer, log }: HttpOptions,
  sessions: Sessions,
  credential: string,
  owner: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const server = createServer(credential);
  if (request.method === "POST" && !(await isAdmitted(server, log))) {
    await server.close();
    return refuse(response, unknownCredential);
  }
  if (!sessions.hasRoom(owner))
    return refuse(response, {
      status: 503,
      message: "There is no room for another session: all are busy",
      headers: { "retry-after": "5" },
    });
  const now = sessions.now();
  let isOpen = false;
  const transport = createHttpTransport({
    sessionIdGenerator: () => randomUUID(),
    onsessioninitialized: (id) => {
      isOpen = true;
      sessions.add(id, session);
    },
    onsessionclosed: (id) => sessions.end(id),
  });
  const session: Session = { server, transport, owner, openedAt: now, lastUsedAt: now, busy: 0 };
  await server.connect(transport);
  await serve(session, request, response, sessions.now);
  if (!isOpen) await server.close();
  log.debug("session", { open: sessions.size });
}

/** False only if the credential is refused. If it cannot be checked now, the tools report why. */
async function isAdmitted(server: ToolServer, log: Logger): Promise<boolean> {
  try {
    await server.prove(limit(PROOF_MS));
    return true;
  } catch (error) {
    if (error instanceof AuthenticationRequired) return false;
    log.warn("opened a session whose credential could not be checked", { error: String(error) });
    return true;
  }
}

/** Whether the request body starts with a list: MCP has had no batches since 2025-06-18. Leaves the body readable. */
async function isBatch(request: IncomingMessage): Promise<boolean> {
  if (request.method !== "POST") return false;
  const ended = new AbortController();
  request.once("close", () => ended.abort());
  await once(request, "readable", { signal: ended.signal }).catch(() => {});
  const begin: Buffer | null = request.read();
  if (begin === null) return false;
  request.unshift(begin);
  return /^\s*\[/.test(begin.toString("latin1"));
}

async function serve(
  session: Session,
  request: IncomingMessage,
  response: ServerResponse,
  now: () => number,
): Promise<void> {
  const busy = isWork(request) ? 1 : 0;
  session.busy += busy;
  const ended = new Promise((resolve) => response.once("close", resolve));
  try {
    await session.transport.handleRequest(request, response);
    await ended;
  } finally {
    session.busy -= busy;
    session.lastUsedAt = now();
  }
}

function refuse(response: ServerResponse, { status, message, headers }: Refusal, code = -32000): void {
  response.writeHead(status, { "content-type": "application/json", connection: "close", ...headers });
  response.end(JSON.stringify({ jsonrpc: "2.0", error: { code, message }, id: null }));
}
