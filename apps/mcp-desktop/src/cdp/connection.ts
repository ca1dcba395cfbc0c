import { ToolError } from "@grove/mcp";
import { WebSocket } from "ws";
import { ProtocolError } from "./errors";
import { type Commands, type Params, type Result, Session } from "./session";
import { windowClosed } from "./windowErrors";

interface Pending {
  readonly sessionId: string | undefined;
  readonly method: string;
  resolve(result: unknown): void;
  reject(error: Error): void;
}

interface Message {
  id?: number;
  sessionId?: string;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: { code: number; message: string };
}

/** The largest message accepted from the app: far above any screenshot, but bounded. */
const MAX_MESSAGE_BYTES = 128 * 1024 * 1024;

/**
 * One WebSocket to the browser endpoint of a Chromium or Electron app. Sessions with its windows and frames share it
 * ("flat" mode: each message carries its session's id). Protocol: https://chromedevtools.github.io/devtools-protocol/
 */
export class Connection {
  #lastId = 0;
  readonly #pending = new Map<number, Pending>();
  readonly #sessions = new Map<string, Session>();
  readonly #socket: WebSocket;
  /** The session with the browser itself. */
  readonly browser: Session;
  #onClose: ((why: string) => void) | undefined;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    this.browser = new Session(this, undefined);
    socket.on("message", (data) => {
      const message = read(String(data));
      if (message) this.#receive(message);
      else {
        socket.terminate();
        this.#end("it sent something that is not a message of the protocol");
      }
    });
    socket.on("error", (error) => this.#end(error.message));
    socket.on("close", () => this.#end("the connection was closed"));
  }

  /** @throws {Error} when the socket does not open, or `signal` is aborted first */
  static async open(url: string, signal: AbortSignal): Promise<Connection> {
    const socket = new WebSocket(url, { maxPayload: MAX_MESSAGE_BYTES, perMessageDeflate: false });
    await new Promise<void>((resolve, reject) => {
      const abort = () => reject(signal.reason);
      socket.once("open", resolve).once("error", reject);
      signal.addEventListener("abort", abort, { once: true });
      if (signal.aborted) abort();
    }).catch((error: unknown) => {
      socket.on("error", () => undefined);
      socket.terminate();
      throw error;
    });
    return new Connection(socket);
  }

  get isOpen(): boolean {
    return this.#socket.readyState === WebSocket.OPEN;
  }

  /** Calls the listener once, when the app, the network or {@link close} has ended the connection. */
  onClose(listener: (why: string) => void): void {
    this.#onClose = listener;
  }

  session(sessionId: string): Session {
    const existing = this.#sessions.get(sessionId);
    if (existing) return existing;
    const session = new Session(this, sessionId);
    this.#sessions.set(sessionId, session);
    return session;
  }

  /** Rejects the pending commands of a session. */
  fail({ id }: Session, error: Error): void {
    this.#rejectPending(error, ({ sessionId }) => sessionId === id);
  }

  /** Forgets a session that has ended. */
  end(sessionId: string, error: Error): void {
    this.fail(this.session(sessionId), error);
    this.#sessions.delete(sessionId);
  }

  /** Ends the connection; the app keeps running. */
  close(): void {
    this.#socket.terminate();
    this.#end("this server closed it");
  }

  /** Sends a command and waits for its response, or until `signal` is aborted. */
  send<M extends keyof Commands>(
    sessionId: string | undefined,
    method: M,
    params: Params<M>[0] | undefined,
    signal: AbortSignal,
  ): Promise<Result<M>> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      if (!this.isOpen) return reject(appGone());
      const id = ++this.#lastId;
      const abort = () => settle(() => reject(signal.reason));
      const settle = (end: () => void) => {
        signal.removeEventListener("abort", abort);
        this.#pending.delete(id);
        end();
      };
      signal.addEventListener("abort", abort, { once: true });
      this.#pending.set(id, {
        sessionId,
        method,
        resolve: (result) => settle(() => resolve(result as Result<M>)),
        reject: (error) => settle(() => reject(error)),
      });
      this.#socket.send(JSON.stringify({ id, sessionId, method, params }));
    });
  }

  #receive(message: Message): void {
    if (message.id !== undefined) {
      const pending = this.#pending.get(message.id);
      if (!pending) return;
      if (message.error) pending.reject(refused(pending.method, message.error.message));
      else pending.resolve(message.result);
      return;
    }
    const session = message.sessionId === undefined ? this.browser : this.#sessions.get(message.sessionId);
    if (message.method !== undefined) session?.emit(message.method, message.params);
  }

  #end(why: string): void {
    this.#rejectPending(appGone(), () => true);
    this.#onClose?.(why);
    this.#onClose = undefined;
  }

  #rejectPending(error: Error, which: (pending: Pending) => boolean): void {
    for (const pending of [...this.#pending.values()]) if (which(pending)) pending.reject(error);
  }
}

/** Parses a message of the protocol; undefined for any other text. */
function read(text: string): Message | undefined {
  try {
    const message: unknown = JSON.parse(text);
    return typeof message === "object" && message !== null ? message : undefined;
  } catch {
    return undefined;
  }
}

const refused = (method: string, reason: string) =>
  /^(Session|No target) with given id/.test(reason)
    ? windowClosed("The window")
    : new ProtocolError(method, reason);

const appGone = () =>
  new ToolError(
    "app_gone",
    "The app closed the connection in the middle of the call",
    "If it was restarted, call again: the server reconnects by itself.",
  );
