import type { ProtocolMapping } from "devtools-protocol/types/protocol-mapping";
import type { Connection } from "./connection";

export type Commands = ProtocolMapping.Commands;
type Events = ProtocolMapping.Events;
export type Params<M extends keyof Commands> = Commands[M]["paramsType"];
export type Result<M extends keyof Commands> = Commands[M]["returnType"];

type Listener = (params: unknown) => void;

/** The commands to and events of one window or frame, or the browser itself. */
export class Session {
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly connection: Connection;
  readonly id: string | undefined;

  constructor(connection: Connection, id: string | undefined) {
    this.connection = connection;
    this.id = id;
  }

  /**
   * @throws {ProtocolError} when the browser refuses
   * @throws {ToolError} when it has exited or the window was closed
   * @throws {unknown} the signal's reason
   */
  send<M extends keyof Commands>(
    method: M,
    params: Params<M>[0] | undefined,
    signal: AbortSignal,
  ): Promise<Result<M>> {
    return this.connection.send(this.id, method, params, signal);
  }

  /** Returns a function that stops listening. */
  on<E extends keyof Events>(event: E, listener: (params: Events[E][0]) => void): () => void {
    const listeners = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, listeners);
    listeners.add(listener as Listener);
    return () => listeners.delete(listener as Listener);
  }

  emit(event: string, params: unknown): void {
    for (const listener of [...(this.#listeners.get(event) ?? [])]) listener(params);
  }
}
