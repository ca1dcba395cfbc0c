import type { FromHub, Look, ToHub } from "./messages";
import { OrganizationStream } from "./organizationStream";
import type { OpenStream } from "./stream";

/** The part of a `MessagePort` that the hub uses. */
export interface Port {
  postMessage(message: FromHub): void;
  onmessage: ((event: MessageEvent<ToHub>) => void) | null;
}

/** Holds one stream for each organization that tabs look at, however many they are. */
export class Hub {
  readonly #open: OpenStream;
  readonly #streams = new Map<string, OrganizationStream>();
  /** The stream of each tab. */
  readonly #looks = new Map<Port, string>();

  constructor(open: OpenStream) {
    this.#open = open;
  }

  /** Serves a tab. */
  add(port: Port): void {
    port.onmessage = ({ data }) => {
      if (data.type === "leave") return this.#leave(port);
      this.#look(port, data.look);
      // A tab that crashes, or is closed on a phone, does not say that it leaves. Its lock becomes free.
      if (data.lock !== undefined) void navigator.locks.request(data.lock, () => this.#leave(port));
    };
  }

  #look(port: Port, look: Look): void {
    const key = JSON.stringify([look.organizationId, look.userId, look.token]);
    if (this.#looks.get(port) === key) return;
    this.#leave(port);
    this.#looks.set(port, key);
    const stream = this.#streams.get(key) ?? new OrganizationStream(this.#open, look);
    this.#streams.set(key, stream);
    stream.add(port);
  }

  #leave(port: Port): void {
    const key = this.#looks.get(port);
    if (key === undefined) return;
    this.#looks.delete(port);
    if (this.#streams.get(key)?.delete(port)) this.#streams.delete(key);
  }
}
