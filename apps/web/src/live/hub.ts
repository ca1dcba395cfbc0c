import { CallQueue } from "./callQueue";
import type { ConnectionBudget } from "./connectionBudget";
import type { FromHub, Subscription, ToHub } from "./messages";
import type { OpenStream } from "./openStream";
import { OrganizationStream } from "./organizationStream";
import { TerminalSlots } from "./terminalSlots";

/** The part of a `MessagePort` that the hub uses. */
export interface Port {
  postMessage(message: FromHub): void;
  onmessage: ((event: MessageEvent<ToHub>) => void) | null;
}

/** The connections of a tab. */
interface Tab {
  /** The key of the organization stream that the tab follows. */
  stream: string | undefined;
  terminals: Set<string>;
  calls: Set<string>;
}

/**
 * Serves all tabs. The hub keeps one stream per followed organization, and shares out the connections for terminals and
 * for calls that wait for a device.
 */
export class Hub {
  readonly #open: OpenStream;
  readonly #streams = new Map<string, OrganizationStream>();
  readonly #slots: TerminalSlots;
  readonly #calls: CallQueue;

  constructor(open: OpenStream, { long, terminals }: ConnectionBudget) {
    this.#open = open;
    this.#slots = new TerminalSlots(terminals);
    this.#calls = new CallQueue(() => Math.max(1, long - this.#slots.taken));
  }

  add(port: Port): void {
    const tab: Tab = { stream: undefined, terminals: new Set(), calls: new Set() };
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
        break;
      default:
        this.#onTerminal(port, tab, message.type, message.terminal);
    }
  }

  #onTerminal(port: Port, tab: Tab, type: "show" | "take" | "hide", terminal: string): void {
    if (type === "take") this.#slots.take(terminal);
    else if (type === "hide" || tab.terminals.has(terminal)) this.#slots.release(terminal);
    if (type === "hide") tab.terminals.delete(terminal);
    if (type === "show") {
      tab.terminals.add(terminal);
      this.#slots.request({
        id: terminal,
        onSlot: (hasSlot) => port.postMessage({ type: "slot", terminal, hasSlot }),
      });
    }
    // A released slot leaves a connection for a call.
    this.#calls.startNext();
  }

  #subscribe(port: Port, tab: Tab, subscription: Subscription): void {
    const key = JSON.stringify([subscription.organizationId, subscription.userId, subscription.token]);
    if (tab.stream === key) return;
    this.#unsubscribe(port, tab);
    tab.stream = key;
    const stream = this.#streams.get(key) ?? new OrganizationStream(this.#open, subscription);
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
    for (const terminal of tab.terminals) this.#slots.release(terminal);
    tab.terminals.clear();
    for (const call of tab.calls) this.#calls.remove(call);
    tab.calls.clear();
    this.#calls.startNext();
  }
}
