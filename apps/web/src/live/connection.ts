import { newId } from "../lib/newId";
import { budgetOfPage, budgets } from "./budget";
import type { FromHub, Look, News, ToHub } from "./messages";
import workerUrl from "./worker?sharedworker&url";

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): {
    /** In truth an object, which the constructors of workers take in place of a string. */
    createScriptURL(url: string): string;
  };
}

/** The page may start no other script in a worker. Browsers without Trusted Types only have the page's policy. */
const policy = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy("grove-workers", {
  createScriptURL: (url) => {
    if (url !== workerUrl) throw new Error("This script may not run in a worker.");
    return url;
  },
});

/** A call begins at the latest after this, whatever the others do. */
const PATIENCE_MS = 10_000;

/** A visible terminal's claim to one of the few places. */
interface Claim {
  /** Takes the place of another terminal, if none is free. */
  take(): void;
  /** The terminal is not visible any more. */
  end(): void;
}

/**
 * This tab's connection to the hub: in a SharedWorker, which has one stream for all tabs, or in the page where the
 * browser has none.
 */
class Connection {
  /** Takes what happens in the organization. */
  onNews: (news: News) => void = () => {};
  #port: MessagePort | undefined;
  #look: Look | undefined;
  readonly #terminals = new Map<string, (has: boolean) => void>();
  readonly #calls = new Map<string, () => void>();

  constructor() {
    if (typeof SharedWorker === "undefined") void this.#inPage();
    else this.#inWorker();
    // A page that the browser keeps for the way back looks at nothing.
    addEventListener("pagehide", () => this.#send({ type: "end" }));
    addEventListener("pageshow", ({ persisted }) => {
      if (persisted) this.#tellAll();
    });
  }

  /** Looks at this organization, or at none. */
  look(look: Look | undefined): void {
    this.#look = look;
    this.#send(look ? { type: "look", look } : { type: "leave" });
  }

  /** Shows a terminal as soon as there is a place for it. `onPlace` tells whenever it gets one, or loses it. */
  show(onPlace: (has: boolean) => void): Claim {
    const terminal = newId();
    this.#terminals.set(terminal, onPlace);
    this.#send({ type: "show", terminal });
    return {
      take: () => this.#send({ type: "take", terminal }),
      end: () => {
        this.#terminals.delete(terminal);
        this.#send({ type: "hide", terminal });
      },
    };
  }

  /** Resolves when a call that waits for a device may begin, with a function to call when it has ended. */
  async turn(): Promise<() => void> {
    const call = newId();
    await new Promise<void>((begin) => {
      this.#calls.set(call, begin);
      setTimeout(begin, PATIENCE_MS);
      this.#send({ type: "call", call });
    });
    this.#calls.delete(call);
    return () => this.#send({ type: "called", call });
  }

  #inWorker(): void {
    const worker = new SharedWorker(policy?.createScriptURL(workerUrl) ?? workerUrl, {
      type: "module",
      name: budgetOfPage(),
    });
    // For instance because its file is gone after an update.
    worker.addEventListener("error", () => void this.#inPage());
    this.#listen(worker.port);
    void holdLock().then((lock) => lock !== undefined && this.#send({ type: "lock", lock }));
  }

  async #inPage(): Promise<void> {
    const [{ Hub }, { openStream }] = await Promise.all([import("./hub"), import("./stream")]);
    const { port1, port2 } = new MessageChannel();
    new Hub(openStream, budgets[budgetOfPage()]).add(port1);
    this.#listen(port2);
    this.#tellAll();
  }

  #listen(port: MessagePort): void {
    this.#port = port;
    port.onmessage = ({ data }: MessageEvent<FromHub>) => {
      if (data.type === "place") this.#terminals.get(data.terminal)?.(data.has);
      else if (data.type === "turn") this.#calls.get(data.call)?.();
      else this.onNews(data);
    };
  }

  /** Tells a hub that knows nothing of this tab. */
  #tellAll(): void {
    if (this.#look) this.#send({ type: "look", look: this.#look });
    for (const terminal of this.#terminals.keys()) this.#send({ type: "show", terminal });
    for (const call of this.#calls.keys()) this.#send({ type: "call", call });
  }

  #send(message: ToHub): void {
    this.#port?.postMessage(message);
  }
}

/** Resolves to the name of a lock once it is held, for as long as this page lives. Without https there are none. */
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

export const connection = new Connection();
