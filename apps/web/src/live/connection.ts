import type { FromHub, Look, ToHub } from "./messages";
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

/**
 * This tab's connection to the hub: in a SharedWorker, which has one stream for all tabs, or in the page where the
 * browser has none.
 */
export class Connection {
  readonly #onMessage: (message: FromHub) => void;
  #port: MessagePort | undefined;
  #look: Look | undefined;
  /** A lock that this tab holds for as long as it lives. Browsers have none at an address without https. */
  readonly #lock: Promise<string | undefined>;

  constructor(onMessage: (message: FromHub) => void) {
    this.#onMessage = onMessage;
    this.#lock = holdLock();
    if (typeof SharedWorker === "undefined") void this.#inPage();
    else this.#inWorker();
    // A page that the browser keeps for the way back looks at nothing.
    addEventListener("pagehide", () => this.#send({ type: "leave" }));
    addEventListener("pageshow", ({ persisted }) => {
      if (persisted && this.#look) void this.#sendLook(this.#look);
    });
  }

  /** Looks at this organization, or at none. */
  look(look: Look | undefined): void {
    this.#look = look;
    if (look) void this.#sendLook(look);
    else this.#send({ type: "leave" });
  }

  #inWorker(): void {
    const worker = new SharedWorker(policy?.createScriptURL(workerUrl) ?? workerUrl, { type: "module" });
    // For instance because its file is gone after an update.
    worker.addEventListener("error", () => void this.#inPage());
    this.#listen(worker.port);
  }

  async #inPage(): Promise<void> {
    const [{ Hub }, { openStream }] = await Promise.all([import("./hub"), import("./stream")]);
    const { port1, port2 } = new MessageChannel();
    new Hub(openStream).add(port1);
    this.#listen(port2);
    if (this.#look) await this.#sendLook(this.#look);
  }

  #listen(port: MessagePort): void {
    this.#port = port;
    port.onmessage = ({ data }: MessageEvent<FromHub>) => this.#onMessage(data);
  }

  async #sendLook(look: Look): Promise<void> {
    const lock = await this.#lock;
    if (this.#look === look) this.#send({ type: "look", look, lock });
  }

  #send(message: ToHub): void {
    this.#port?.postMessage(message);
  }
}

/** Resolves to the name of a lock once it is held. */
function holdLock(): Promise<string | undefined> {
  const locks = (navigator as { locks?: LockManager }).locks;
  if (!locks) return Promise.resolve(undefined);
  const name = `grove.tab.${crypto.randomUUID()}`;
  return new Promise((resolve) => {
    void locks.request(name, () => {
      resolve(name);
      return new Promise(() => {});
    });
  });
}
