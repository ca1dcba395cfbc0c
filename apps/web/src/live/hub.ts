import type { Budget } from "./budget";
import type { FromHub, Look, ToHub } from "./messages";
import { OrganizationStream } from "./organizationStream";
import { Places } from "./places";
import type { OpenStream } from "./stream";
import { Turns } from "./turns";

/** The part of a `MessagePort` that the hub uses. */
export interface Port {
  postMessage(message: FromHub): void;
  onmessage: ((event: MessageEvent<ToHub>) => void) | null;
}

/** The things that a tab has open. */
interface Tab {
  /** The stream that it looks at. */
  stream: string | undefined;
  terminals: Set<string>;
  calls: Set<string>;
}

/**
 * Serves all tabs: it holds one stream for each organization that they look at, and gives out the connections for
 * terminals and for calls that wait for a device.
 */
export class Hub {
  readonly #open: OpenStream;
  readonly #streams = new Map<string, OrganizationStream>();
  readonly #places: Places;
  readonly #turns: Turns;

  constructor(open: OpenStream, { long, terminals }: Budget) {
    this.#open = open;
    this.#places = new Places(terminals);
    this.#turns = new Turns(() => Math.max(1, long - this.#places.taken));
  }

  /** Serves a tab. */
  add(port: Port): void {
    const tab: Tab = { stream: undefined, terminals: new Set(), calls: new Set() };
    port.onmessage = ({ data }) => this.#onMessage(port, tab, data);
  }

  #onMessage(port: Port, tab: Tab, message: ToHub): void {
    switch (message.type) {
      case "lock":
        // A tab that crashes, or is closed on a phone, does not say that it ends. Its lock becomes free.
        void navigator.locks.request(message.lock, () => this.#end(port, tab));
        break;
      case "look":
        this.#look(port, tab, message.look);
        break;
      case "leave":
        this.#leave(port, tab);
        break;
      case "end":
        this.#end(port, tab);
        break;
      case "call":
        tab.calls.add(message.call);
        this.#turns.ask(message.call, () => port.postMessage({ type: "turn", call: message.call }));
        break;
      case "called":
        tab.calls.delete(message.call);
        this.#turns.end(message.call);
        break;
      default:
        this.#onTerminal(port, tab, message.type, message.terminal);
    }
  }

  #onTerminal(port: Port, tab: Tab, what: "show" | "take" | "hide", terminal: string): void {
    if (what === "take") this.#places.take(terminal);
    else if (what === "hide" || tab.terminals.has(terminal)) this.#places.leave(terminal);
    if (what === "hide") tab.terminals.delete(terminal);
    if (what === "show") {
      tab.terminals.add(terminal);
      this.#places.ask({
        id: terminal,
        tell: (has) => port.postMessage({ type: "place", terminal, has }),
      });
    }
    // A place that is free again has room for a call.
    this.#turns.fill();
  }

  #look(port: Port, tab: Tab, look: Look): void {
    const key = JSON.stringify([look.organizationId, look.userId, look.token]);
    if (tab.stream === key) return;
    this.#leave(port, tab);
    tab.stream = key;
    const stream = this.#streams.get(key) ?? new OrganizationStream(this.#open, look);
    this.#streams.set(key, stream);
    stream.add(port);
  }

  #leave(port: Port, tab: Tab): void {
    const { stream } = tab;
    if (stream === undefined) return;
    tab.stream = undefined;
    if (this.#streams.get(stream)?.delete(port)) this.#streams.delete(stream);
  }

  #end(port: Port, tab: Tab): void {
    this.#leave(port, tab);
    for (const terminal of tab.terminals) this.#places.leave(terminal);
    tab.terminals.clear();
    for (const call of tab.calls) this.#turns.end(call);
    tab.calls.clear();
    this.#turns.fill();
  }
}
