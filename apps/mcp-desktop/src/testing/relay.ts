import { createServer, type Server } from "node:http";
import { WebSocket, WebSocketServer } from "ws";

export interface Disguise {
  /** Prefixes of addresses and their replacements, in both directions: `http://127.0.0.1:4000`, `app://bundle`. */
  readonly addresses?: Readonly<Record<string, string>>;
  /** Prefixes of replaced addresses, and the type of their target. */
  readonly types?: Readonly<Record<string, string>>;
  /** Methods that the app does not know. */
  readonly unknown?: readonly string[];
  /** Events, and methods whose answers, are held back. */
  readonly held?: readonly string[];
  /** Requests that contain this text are held back. */
  readonly heldRequest?: string;
}

interface Message {
  readonly id?: number;
  readonly sessionId?: string;
  readonly method?: string;
}

/**
 * A debugging port in front of a real Chromium's. It passes everything on unchanged, except for what Electron has and
 * Chromium cannot produce: targets of other types, and pages of the app's own scheme.
 */
export class Relay {
  readonly #http: Server;
  readonly #sockets: WebSocketServer;
  readonly #openSockets = new Set<WebSocket>();
  readonly #queuedMessages: (() => void)[] = [];

  readonly #targetUrl: string;
  readonly #disguise: Disguise;

  private constructor(behind: string, disguise: Disguise) {
    this.#targetUrl = behind;
    this.#disguise = disguise;
    this.#http = createServer((request, response) => {
      this.#fetchText(request.url ?? "/").then(
        (text) => response.setHeader("content-type", "application/json").end(text),
        () => response.destroy(),
      );
    });
    this.#sockets = new WebSocketServer({ server: this.#http });
    this.#sockets.on("connection", (socket, request) => this.#connectTo(socket, request.url ?? "/"));
  }

  /** @param behind the address of the real port: `http://127.0.0.1:9222` */
  static async start(behind: string, disguise: Disguise): Promise<Relay> {
    const relay = new Relay(behind, disguise);
    await new Promise<void>((resolve) => relay.#http.listen(0, "127.0.0.1", resolve));
    return relay;
  }

  get url(): string {
    const address = this.#http.address();
    if (typeof address !== "object" || address === null) throw new Error("not listening");
    return `http://127.0.0.1:${address.port}`;
  }

  /** The number of messages held back. */
  get kept(): number {
    return this.#queuedMessages.length;
  }

  /** Passes on the first of the messages held back, in order. */
  release(count: number): void {
    for (const send of this.#queuedMessages.splice(0, count)) send();
  }

  stop(): void {
    for (const socket of this.#openSockets) socket.terminate();
    this.#http.close();
  }

  async #fetchText(path: string): Promise<string> {
    const answer = await fetch(new URL(path, this.#targetUrl));
    return this.#rewriteResponse(await answer.text()).replaceAll(
      new URL(this.#targetUrl).host,
      new URL(this.url).host,
    );
  }

  #connectTo(near: WebSocket, path: string): void {
    const far = new WebSocket(new URL(path, this.#targetUrl.replace("http", "ws")), {
      perMessageDeflate: false,
    });
    const waiting: string[] = [];
    const asked = new Map<number | undefined, string>();
    far.on("open", () => {
      for (const text of waiting.splice(0)) far.send(text);
    });
    near.on("message", (data) => {
      const text = this.#rewriteRequest(String(data));
      const { id, sessionId, method = "" } = JSON.parse(text) as Message;
      if (this.#disguise.held?.includes(method)) asked.set(id, method);
      const error = { code: -32601, message: `'${method}' wasn't found` };
      const { unknown, heldRequest } = this.#disguise;
      if (unknown?.includes(method)) near.send(JSON.stringify({ id, sessionId, error }));
      else if (heldRequest !== undefined && text.includes(heldRequest))
        this.#queuedMessages.push(() => far.send(text));
      else if (far.readyState === WebSocket.OPEN) far.send(text);
      else waiting.push(text);
    });
    far.on("message", (data) => {
      const text = this.#rewriteResponse(String(data));
      const { id, method = asked.get(id) ?? "" } = JSON.parse(text) as Message;
      if (this.#disguise.held?.includes(method)) this.#queuedMessages.push(() => near.send(text));
      else near.send(text);
    });
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#openSockets.add(one);
      one.on("error", () => undefined);
      one.on("close", () => other.terminate());
    }
  }

  #rewriteRequest(text: string): string {
    const { addresses = {} } = this.#disguise;
    return Object.entries(addresses).reduce((result, [real, shown]) => result.replaceAll(shown, real), text);
  }

  #rewriteResponse(text: string): string {
    const { addresses = {} } = this.#disguise;
    const renamed = Object.entries(addresses).reduce(
      (result, [real, shown]) => result.replaceAll(real, shown),
      text,
    );
    return JSON.stringify(JSON.parse(renamed), (_, value: unknown) => this.#renameTypes(value));
  }

  /** Only a target has both properties, with such an address. */
  #renameTypes(value: unknown): unknown {
    if (typeof value !== "object" || value === null || !("type" in value) || !("url" in value)) return value;
    const { types = {} } = this.#disguise;
    const [, type] = Object.entries(types).find(([begin]) => String(value.url).startsWith(begin)) ?? [];
    return type === undefined ? value : { ...value, type };
  }
}
