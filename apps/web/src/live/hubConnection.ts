import { newId } from "../lib/newId";
import { connectionBudgets, pageBudget } from "./connectionBudget";
import type { FromHub, StreamMessage, Subscription, ToHub } from "./messages";
import workerUrl from "./worker?sharedworker&url";

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): {
    /** Really a `TrustedScriptURL`, which the worker constructors accept instead of a string. */
    createScriptURL(url: string): string;
  };
}

/** Allows the page to start only this worker script. Browsers without Trusted Types rely on the CSP alone. */
const policy = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy("grove-workers", {
  createScriptURL: (url) => {
    if (url !== workerUrl) throw new Error("This script may not run in a worker.");
    return url;
  },
});

/** A call starts after this time even if it did not get its turn. */
const MAX_WAIT_MS = 10_000;

/** A visible terminal's claim to a slot. */
interface Claim {
  /** Takes the slot of another terminal if none is free. */
  take(): void;
  /** Releases the slot: the terminal is no longer visible. */
  end(): void;
}

/**
 * This tab's connection to the hub. The hub runs in a SharedWorker, with one stream for all tabs, or in the page if the
 * browser has no SharedWorker.
 */
class HubConnection {
  onStreamMessage: (message: StreamMessage) => void = () => {};
  #port: MessagePort | undefined;
  #subscription: Subscription | undefined;
  readonly #terminals = new Map<string, (hasSlot: boolean) => void>();
  readonly #calls = new Map<string, () => void>();

  constructor() {
    if (typeof SharedWorker === "undefined") void this.#inPage();
    else this.#inWorker();
    // A page in the back/forward cache follows nothing.
    addEventListener("pagehide", () => this.#send({ type: "end" }));
    addEventListener("pageshow", ({ persisted }) => {
      if (persisted) this.#resendAll();
    });
  }

  /** Subscribes this tab to an organization, or unsubscribes it. */
  subscribe(subscription: Subscription | undefined): void {
    this.#subscription = subscription;
    this.#send(subscription ? { type: "subscribe", subscription } : { type: "unsubscribe" });
  }

  /** Requests a slot for a terminal. `onSlot` is called when the terminal gets a slot or loses it. */
  requestSlot(onSlot: (hasSlot: boolean) => void): Claim {
    const terminal = newId();
    this.#terminals.set(terminal, onSlot);
    this.#send({ type: "show", terminal });
    return {
      take: () => this.#send({ type: "take", terminal }),
      end: () => {
        this.#terminals.delete(terminal);
        this.#send({ type: "hide", terminal });
      },
    };
  }

  /**
   * Resolves when a call that waits for a device may begin.
   * @returns a function to call when the call has ended
   */
  async waitForTurn(): Promise<() => void> {
    const call = newId();
    await new Promise<void>((begin) => {
      this.#calls.set(call, begin);
      setTimeout(begin, MAX_WAIT_MS);
      this.#send({ type: "call", call });
    });
    this.#calls.delete(call);
    return () => this.#send({ type: "callEnded", call });
  }

  #inWorker(): void {
    const worker = new SharedWorker(policy?.createScriptURL(workerUrl) ?? workerUrl, {
      type: "module",
      name: pageBudget(),
    });
    // For example, an update of Grove has removed the worker's file.
    worker.addEventListener("error", () => void this.#inPage());
    this.#listen(worker.port);
    void holdLock().then((lock) => lock !== undefined && this.#send({ type: "lock", lock }));
  }

  async #inPage(): Promise<void> {
    const [{ Hub }, { openStream }] = await Promise.all([import("./hub"), import("./openStream")]);
    const { port1, port2 } = new MessageChannel();
    new Hub(openStream, connectionBudgets[pageBudget()]).add(port1);
    this.#listen(port2);
    this.#resendAll();
  }

  #listen(port: MessagePort): void {
    this.#port = port;
    port.onmessage = ({ data }: MessageEvent<FromHub>) => {
      if (data.type === "slot") this.#terminals.get(data.terminal)?.(data.hasSlot);
      else if (data.type === "turn") this.#calls.get(data.call)?.();
      else this.onStreamMessage(data);
    };
  }

  /** Sends this tab's state to a hub that has none of it. */
  #resendAll(): void {
    if (this.#subscription) this.#send({ type: "subscribe", subscription: this.#subscription });
    for (const terminal of this.#terminals.keys()) this.#send({ type: "show", terminal });
    for (const call of this.#calls.keys()) this.#send({ type: "call", call });
  }

  #send(message: ToHub): void {
    this.#port?.postMessage(message);
  }
}

/** Holds a lock until the page is closed, and resolves to its name. Web Locks need https. */
function holdLock(): Promise<string | undefined> {
  const locks = (navigator as { locks?: LockManager }).locks;
  if (!locks) return Promise.resolve(undefined);
  const name = `grove.tab.${newId()}`;
  return new Promise((resolve) => {
    void locks.request(name, () => {
      resolve(name);
      return new Promise(() => {});
    });
  });
}

export const hubConnection = new HubConnection();
