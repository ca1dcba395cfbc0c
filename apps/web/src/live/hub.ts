import { CallQueue } from "./callQueue";
import type { FromHub, Subscription, ToHub } from "./hubMessages";
import type { OpenStreams } from "./openStream";
import { OrganizationStream } from "./organizationStream";
import { OutputStream } from "./outputStream";

/** The part of a `MessagePort` that the hub uses. */
export interface Port {
  postMessage(message: FromHub): void;
  onmessage: ((event: MessageEvent<ToHub>) => void) | null;
}

/** The streams and calls of a tab. */
interface Tab {
  /** The key of the organization stream. */
  stream: string | undefined;
  /** The keys of the output streams, by terminal. */
  terminals: Map<string, string>;
  calls: Set<string>;
}

/**
 * Serves all tabs. For each followed organization, the hub keeps one stream of its events, and one with the output of
 * all visible terminals. It also limits the calls that wait for a device.
 */
export class Hub {
  readonly #open: OpenStreams;
  readonly #streams = new Map<string, OrganizationStream>();
  readonly #outputs = new Map<string, OutputStream>();
  readonly #calls = new CallQueue();

  constructor(open: OpenStreams) {
    this.#open = open;
  }

  add(port: Port): void {
    const tab: Tab = { stream: undefined, terminals: new Map(), calls: new Set() };
    port.onmessage = ({ data }) => this.#onMessage(port, tab, data);
  }

  #onMessage(port: Port, tab: Tab, message: ToHub): void {
    switch (message.type) {
      case "lock":
        // A tab that crashes, or is closed on a phone, sends no `end`, but the browser releases its lock.
        void navigator.locks.request(message.lock, () => this.#end(port, tab));
        break;
      case "subscribe":
        this.#subscribe(port, tab, message.subscription);
        break;
      case "unsubscribe":
        this.#unsubscribe(port, tab);
        break;
      case "show":
        this.#show(port, tab, message);
        break;
      case "hide":
        this.#hide(tab, message.terminal);
        break;
      case "end":
        this.#end(port, tab);
        break;
      case "call":
        tab.calls.add(message.call);
        this.#calls.add(message.call, () => port.postMessage({ type: "turn", call: message.call }));
        break;
      case "callEnded":
        tab.calls.delete(message.call);
        this.#calls.remove(message.call);
    }
  }

  #show(port: Port, tab: Tab, message: Extract<ToHub, { type: "show" }>): void {
    const { terminal, subscription, session, after } = message;
    const key = keyOf(subscription);
    tab.terminals.set(terminal, key);
    const stream = this.#outputs.get(key) ?? new OutputStream(this.#open.outputs, subscription);
    this.#outputs.set(key, stream);
    stream.add(terminal, {
      session,
      after,
      onOutput: (output) => port.postMessage({ type: "output", terminal, output }),
      onConnection: (isOpen) => port.postMessage({ type: "connection", terminal, isOpen }),
    });
  }

  #hide(tab: Tab, terminal: string): void {
    const key = tab.terminals.get(terminal);
    if (key === undefined) return;
    tab.terminals.delete(terminal);
    if (this.#outputs.get(key)?.delete(terminal)) this.#outputs.delete(key);
  }

  #subscribe(port: Port, tab: Tab, subscription: Subscription): void {
    const key = keyOf(subscription);
    if (tab.stream === key) return;
    this.#unsubscribe(port, tab);
    tab.stream = key;
    const stream = this.#streams.get(key) ?? new OrganizationStream(this.#open.organization, subscription);
    this.#streams.set(key, stream);
    stream.add(port);
  }

  #unsubscribe(port: Port, tab: Tab): void {
    const { stream } = tab;
    if (stream === undefined) return;
    tab.stream = undefined;
    if (this.#streams.get(stream)?.delete(port)) this.#streams.delete(stream);
  }

  #end(port: Port, tab: Tab): void {
    this.#unsubscribe(port, tab);
    for (const terminal of tab.terminals.keys()) this.#hide(tab, terminal);
    for (const call of tab.calls) this.#calls.remove(call);
    tab.calls.clear();
  }
}

const keyOf = ({ organizationId, userId, token }: Subscription) =>
  JSON.stringify([organizationId, userId, token]);
