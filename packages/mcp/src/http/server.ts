import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { timeoutSignal } from "@grove/signals";
import { AuthenticationRequired } from "../errors";
import type { Logger } from "../log";
import type { ToolServer } from "../server";
import { acceptEitherForm, acceptsOnlyJson, setHeader } from "./accept";
import { type Refusal, readCredential, refuseStranger, unknownCredential } from "./access";
import { readBody } from "./body";
import { Callers } from "./callers";
import { defaultLimits, ownerOf, type Session, type SessionLimits, Sessions } from "./sessions";
import { createExchange, createHttpTransport, type Exchange, isOlder } from "./transports";

export interface HttpOptions {
  /** Creates the server of a session, or of a caller of the newer era; it acts for this credential. */
  createServer(credential: string): ToolServer;
  /** The address under which clients know this server, in addition to loopback. */
  readonly publicUrl: string | undefined;
  readonly limits?: SessionLimits;
  readonly log: Logger;
}

export const PATH = "/mcp";

/** How often sessions are checked for their end. */
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

/** The parts that answer requests. */
interface Serving {
  readonly options: HttpOptions;
  readonly sessions: Sessions;
  readonly callers: Callers;
  readonly exchange: Exchange;
}

/**
 * An MCP server over Streamable HTTP at `/mcp`. In the older era (specification 2025-11-25), each session has a server
 * of its own, bound to the credential of its requests. In the newer one (2026-07-28), each request is independent.
 * Without a credential, or with a refused one, the response is 401.
 */
export function createHttpServer(options: HttpOptions): McpHttpServer {
  const limits = options.limits ?? defaultLimits;
  const sessions = new Sessions(limits);
  const callers = new Callers(limits);
  const exchange = createExchange(options.log);
  const serving = { options, sessions, callers, exchange };
  const answering = new Set<Promise<void>>();
  const http = createServer({ requestTimeout: REQUEST_MS }, (request, response) => {
    const answered = handle(serving, request, response).catch((error: unknown) => {
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
  return {
    http,
    idle: () => Promise.all(answering),
    async close() {
      await Promise.all([sessions.close(), callers.close()]);
      await exchange.close();
    },
  };
}

/** A GET is the stream of notifications, which the client may keep open as long as it likes. */
const isWork = ({ method }: IncomingMessage): boolean => method !== "GET";

async function handle(serving: Serving, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { options, sessions } = serving;
  const { headers, url = "" } = request;
  const stranger = refuseStranger(headers, options.publicUrl);
  if (stranger) return refuse(response, stranger);
  if (url.split("?")[0] !== PATH)
    return refuse(response, { status: 404, message: `Not found: this server serves only ${PATH}` });
  const read = readCredential(headers.authorization);
  if (!("credential" in read)) return refuse(response, read);
  const message = request.method === "POST" ? await readBody(request) : { body: undefined };
  if (!("body" in message)) return refuse(response, message, message.code);
  const jsonOnly = acceptsOnlyJson(request);
  acceptEitherForm(request);
  const received = { request, response, body: message.body, jsonOnly };
  if (message.body !== undefined && !(await isOlder(request, message.body)))
    return answerNewer(serving, read.credential, received);

  const owner = ownerOf(read.credential);
  const id = headers["mcp-session-id"];
  // A client whose session is over begins another one, and may still send the old id.
  const begins = isInitialize(message.body);
  if (begins) setHeader(request, "mcp-session-id");
  if (begins || id === undefined) return open(options, sessions, read.credential, owner, received);
  const session = sessions.find(String(id), owner);
  if (session) return serve(session, received, sessions.now);
  refuse(response, { status: 404, message: "Session not found" }, -32001);
}

const isInitialize = (body: unknown): boolean =>
  typeof body === "object" && body !== null && "method" in body && body.method === "initialize";

/** A request whose message has been read: undefined for a method without one. */
interface Received {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: unknown;
  /** Whether the client accepts no event stream. */
  readonly jsonOnly: boolean;
}

/** Answers a request of the newer era, which opens no session. */
async function answerNewer(
  { options: { createServer, log }, callers, exchange }: Serving,
  credential: string,
  { request, response, body }: Received,
): Promise<void> {
  const make = () => {
    const server = createServer(credential);
    return { server, admitted: isAdmitted(server, log) };
  };
  const result = await callers.use(credential, make, async (server) => {
    const ended = new Promise((resolve) => response.once("close", resolve));
    await exchange.answer(server, request, response, body);
    await ended;
  });
  if (result === "refused") refuse(response, unknownCredential);
  if (result === "full") refuse(response, noRoom);
}

/** The response while no session or caller can be evicted for a new one. */
const noRoom: Refusal = {
  status: 503,
  message: "Too many sessions: all are in use. Try again later",
  headers: { "retry-after": "5" },
};

/**
 * Answers a request that names no session. The transport refuses any request but initialize; no session is left then.
 */
async function open(
  { createServer, log }: HttpOptions,
  sessions: Sessions,
  credential: string,
  owner: string,
  received: Received,
): Promise<void> {
  const { request, response, jsonOnly } = received;
  const server = createServer(credential);
  if (request.method === "POST" && !(await isAdmitted(server, log))) {
    await server.close();
    return refuse(response, unknownCredential);
  }
  if (!sessions.hasRoom(owner)) return refuse(response, noRoom);
  const now = sessions.now();
  let isOpen = false;
  const transport = createHttpTransport({
    sessionIdGenerator: () => randomUUID(),
    // The responses then come without the notifications before them.
    enableJsonResponse: jsonOnly,
    onsessioninitialized: (id) => {
      isOpen = true;
      sessions.add(id, session);
    },
    onsessionclosed: (id) => sessions.end(id),
  });
  const session: Session = { server, transport, owner, openedAt: now, lastUsedAt: now, busy: 0 };
  await server.connect(transport);
  await serve(session, received, sessions.now);
  if (!isOpen) await server.close();
  log.debug("session", { open: sessions.size });
}

/** False only if the credential is refused. If it cannot be checked now, the tools report why. */
async function isAdmitted(server: ToolServer, log: Logger): Promise<boolean> {
  try {
    await server.prove(timeoutSignal(PROOF_MS));
    return true;
  } catch (error) {
    if (error instanceof AuthenticationRequired) return false;
    log.warn("opened a session whose credential could not be checked", { error: String(error) });
    return true;
  }
}

async function serve(
  session: Session,
  { request, response, body }: Received,
  now: () => number,
): Promise<void> {
  const busy = isWork(request) ? 1 : 0;
  session.busy += busy;
  const ended = new Promise((resolve) => response.once("close", resolve));
  try {
    await session.transport.handleRequest(request, response, body);
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
