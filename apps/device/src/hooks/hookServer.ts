import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { chmod, rm } from "node:fs/promises";
import { createServer, type Server, type Socket } from "node:net";
import * as z from "zod";
import type { Home } from "../home/home";
import type { Log } from "../log";
import {
  type AgentCliMessage,
  type AgentCliReply,
  type AgentCliRequest,
  agentCliMessage,
  sendReply,
} from "./agentCli";
import { type HookInput, hookMessage } from "./event";
import { HeldHook } from "./heldHook";
import { hookSocketPath } from "./socketPath";

/** The largest line of a helper, and some more. */
const MAX_LINE_LENGTH = 1_100_000;
/** A helper sends its line as soon as it is connected. */
const LINE_MS = 5_000;
/** Connections beyond this are closed; their agents prompt in their terminals. */
const MAX_CONNECTIONS = 500;

/** An event of an agent's hook. `held` is the hook of a permission request, which waits for an answer. */
export interface HookEvent {
  at: number;
  input: HookInput;
  held: HeldHook | undefined;
}

/** The part of a session that its agent reaches. */
interface Listener {
  onEvent(event: HookEvent): void;
  /** Never rejects. */
  onRequest(request: AgentCliRequest): Promise<AgentCliReply>;
}

/** A line of a helper. */
const socketMessage = z.union([agentCliMessage, hookMessage]);

/**
 * Receives the events of the agents' hooks, from `hook.cjs`, and requests of agents, from `grove-device agent`, over a
 * socket in this home.
 */
export class HookServer {
  readonly path: string;
  readonly #log: Log;
  readonly #server: Server;
  readonly #listeners = new Map<string, Listener>();
  readonly #connections = new Set<Socket>();

  private constructor(path: string, log: Log) {
    this.path = path;
    this.#log = log;
    this.#server = createServer((socket) => this.#accept(socket));
    this.#server.maxConnections = MAX_CONNECTIONS;
  }

  /**
   * Listens at the home's socket. The home's lock ensures that no other device agent does.
   * @returns undefined where there can be no socket, such as on a mounted share; agents then report nothing
   */
  static async open(home: Home, env: NodeJS.ProcessEnv, log: Log): Promise<HookServer | undefined> {
    try {
      const path = await hookSocketPath(home, env);
      const hooks = new HookServer(path, log);
      await rm(path, { force: true });
      hooks.#server.listen(path);
      await once(hooks.#server, "listening");
      await chmod(path, 0o600);
      return hooks;
    } catch (error) {
      log.warn({ err: error }, "agents cannot report what they do: there is no socket for their hooks");
      return undefined;
    }
  }

  /**
   * Passes the events and requests of one session to `listener`.
   * @returns the token that names the session to the helper, and a function that ends this
   */
  register(listener: Listener): { token: string; end: () => void } {
    const token = randomUUID();
    this.#listeners.set(token, listener);
    return { token, end: () => this.#listeners.delete(token) };
  }

  async close(): Promise<void> {
    for (const socket of this.#connections) socket.destroy();
    this.#server.close();
    await rm(this.path, { force: true });
  }

  #accept(socket: Socket): void {
    this.#connections.add(socket);
    socket.on("error", () => {}).on("close", () => this.#connections.delete(socket));
    const tooLate = setTimeout(() => socket.destroy(), LINE_MS);
    let received = "";
    const onData = (text: string) => {
      received += text;
      if (received.length > MAX_LINE_LENGTH) return void socket.destroy();
      const end = received.indexOf("\n");
      if (end === -1) return;
      clearTimeout(tooLate);
      socket.off("data", onData);
      this.#receive(received.slice(0, end), socket);
    };
    socket.setEncoding("utf8").on("data", onData);
    socket.on("close", () => clearTimeout(tooLate));
  }

  #receive(line: string, socket: Socket): void {
    const { data, error } = socketMessage.safeParse(parsed(line));
    if (data && "request" in data) return void sendReply(socket, this.#replyTo(data));
    const listener = data && this.#listeners.get(data.token);
    if (!listener) {
      this.#log.debug({ err: error }, "an event of a hook was not understood");
      return void socket.destroy();
    }
    const { at, input } = data;
    if (input.hook_event_name === "PermissionRequest")
      listener.onEvent({ at, input, held: new HeldHook(socket) });
    else {
      socket.destroy();
      listener.onEvent({ at, input, held: undefined });
    }
  }

  async #replyTo({ token, request }: AgentCliMessage): Promise<AgentCliReply> {
    const listener = this.#listeners.get(token);
    return listener?.onRequest(request) ?? { error: "This agent session has ended. Start another one." };
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
