import type { SessionOutputsEvent } from "@grove/schemas";
import { newId } from "../lib/newId";
import type { FromHub, StreamMessage, Subscription, ToHub } from "./hubMessages";
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

/** Whether all requests share one connection, as in HTTP/2 and later. */
function isMultiplexed(): boolean {
  const [page] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  return /^h[23]/.test(page?.nextHopProtocol ?? "");
}

/** A terminal of this tab. */
interface Terminal {
  subscription: Subscription;
  session: string;
  /** Returns the sequence of the last chunk that the terminal has. */
  after(): number;
  onOutput(output: SessionOutputsEvent): void;
  onConnection(isOpen: boolean): void;
}

/**
 * This tab's connection to the hub. The hub runs in a SharedWorker, with the same streams for all tabs, or in the page
 * if the browser has no SharedWorker.
 */
class HubConnection {
  onStreamMessage: (message: StreamMessage) => void = () => {};
  #port: MessagePort | undefined;
  #subscription: Subscription | undefined;
  readonly #terminals = new Map<string, Terminal>();
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

  /**
   * Streams a session's output to a terminal.
   * @returns a function that stops streaming
   */
  follow(terminal: Terminal): () => void {
    const id = newId();
    this.#terminals.set(id, terminal);
    this.#show(id, terminal);
    return () => {
      this.#terminals.delete(id);
      this.#send({ type: "hide", terminal: id });
    };
  }

  /** Runs a call that waits for a device, as soon as it may begin. */
  async runQueued<Result>(run: () => Promise<Result>): Promise<Result> {
    if (isMultiplexed()) return run();
    const call = newId();
    await new Promise<void>((begin) => {
      this.#calls.set(call, begin);
      setTimeout(begin, MAX_WAIT_MS);
      this.#send({ type: "call", call });
    });
    this.#calls.delete(call);
    try {
      return await run();
    } finally {
      this.#send({ type: "callEnded", call });
    }
  }

  #inWorker(): void {
    const worker = new SharedWorker(policy?.createScriptURL(workerUrl) ?? workerUrl, {
      type: "module",
    });
    // For example, an update of Grove has removed the worker's file.
    worker.addEventListener("error", () => void this.#inPage());
    this.#listen(worker.port);
    void holdLock().then((lock) => lock !== undefined && this.#send({ type: "lock", lock }));
  }

  async #inPage(): Promise<void> {
    const [{ Hub }, { openStreams }] = await Promise.all([import("./hub"), import("./openStream")]);
    const { port1, port2 } = new MessageChannel();
    new Hub(openStreams).add(port1);
    this.#listen(port2);
    this.#resendAll();
  }

  #listen(port: MessagePort): void {
    this.#port = port;
    port.onmessage = ({ data }: MessageEvent<FromHub>) => {
      if (data.type === "output") this.#terminals.get(data.terminal)?.onOutput(data.output);
      else if (data.type === "connection") this.#terminals.get(data.terminal)?.onConnection(data.isOpen);
      else if (data.type === "turn") this.#calls.get(data.call)?.();
      else this.onStreamMessage(data);
    };
  }

  /** Sends this tab's state to a hub that has none of it. */
  #resendAll(): void {
    if (this.#subscription) this.#send({ type: "subscribe", subscription: this.#subscription });
    for (const [id, terminal] of this.#terminals) this.#show(id, terminal);
    for (const call of this.#calls.keys()) this.#send({ type: "call", call });
  }

  #show(terminal: string, { subscription, session, after }: Terminal): void {
    this.#send({ type: "show", terminal, subscription, session, after: after() });
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
