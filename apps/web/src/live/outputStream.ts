import { MAX_OUTPUTS, type SessionOutputsEvent } from "@grove/schemas";
import type { Subscription } from "./hubMessages";
import type { OpenStreams, Positions } from "./openStream";

/** A terminal that is visible in a tab. */
export interface Viewer {
  session: string;
  /** The sequence of the last chunk that the viewer has. */
  after: number;
  /** `refused`: the API does not send this session's output to the user. */
  onOutput(output: SessionOutputsEvent): void;
  /** Whether the stream is open. It reconnects automatically. */
  onConnection(isOpen: boolean): void;
}

/** Viewers that come or leave together cause one new stream. */
const SETTLE_MS = 20;
const RETRY_MS = 2_000;

/**
 * One stream with the output of all sessions that are visible in any tab. The sessions are the stream's input, so that
 * it needs no state on the server. It is therefore opened again, after the last chunk of each session, when a viewer
 * comes or a session has lost its last viewer.
 */
export class OutputStream {
  readonly #open: OpenStreams["outputs"];
  readonly #subscription: Subscription;
  readonly #viewers = new Map<string, Viewer>();
  /** The sessions of the open stream that have not ended. */
  readonly #streamed = new Set<string>();
  #close: () => void = () => {};
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(open: OpenStreams["outputs"], subscription: Subscription) {
    this.#open = open;
    this.#subscription = subscription;
  }

  add(id: string, viewer: Viewer): void {
    this.#viewers.set(id, viewer);
    this.#beginIn(SETTLE_MS);
  }

  /**
   * Removes a viewer, and closes the stream after the last one.
   * @returns whether it was the last one
   */
  delete(id: string): boolean {
    const viewer = this.#viewers.get(id);
    this.#viewers.delete(id);
    if (this.#viewers.size === 0) {
      clearTimeout(this.#timer);
      this.#end();
      return true;
    }
    if (viewer && this.#streamed.has(viewer.session) && this.#viewersOf(viewer.session).length === 0)
      this.#beginIn(SETTLE_MS);
    return false;
  }

  #beginIn(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#begin(), ms);
  }

  #begin(): void {
    this.#end();
    const positions = this.#positions();
    for (const { id } of positions) this.#streamed.add(id);
    let isOpen = false;
    this.#close = this.#open(this.#subscription, positions, {
      onOpen: () => {
        isOpen = true;
        this.#onConnection(true);
      },
      onOutput: (output) => this.#onOutput(output),
      onEnd: (isRefused) => {
        this.#end();
        this.#onConnection(false);
        if (isRefused)
          for (const { session, onOutput } of this.#viewers.values())
            onOutput({ type: "refused", id: session });
        // A stream that was open is resumed immediately: it ends every 15 minutes.
        else this.#beginIn(isOpen ? SETTLE_MS : RETRY_MS);
      },
    });
  }

  #end(): void {
    this.#streamed.clear();
    this.#close();
    this.#close = () => {};
  }

  /** The newest viewers' sessions, each after the chunk that all its viewers have. */
  #positions(): Positions {
    const after = new Map<string, number>();
    for (const viewer of [...this.#viewers.values()].reverse()) {
      const known = after.get(viewer.session);
      if (known !== undefined || after.size < MAX_OUTPUTS)
        after.set(viewer.session, Math.min(known ?? viewer.after, viewer.after));
    }
    return [...after].map(([id, last]) => ({ id, after: last }));
  }

  #onOutput(output: SessionOutputsEvent): void {
    if (output.type === "end" || output.type === "refused") this.#streamed.delete(output.id);
    for (const viewer of this.#viewersOf(output.id)) {
      if (output.type === "output") {
        // The stream began at the chunk that another viewer needs.
        if (output.sequence <= viewer.after) continue;
        viewer.after = output.sequence;
      }
      viewer.onOutput(output);
    }
  }

  #onConnection(isOpen: boolean): void {
    for (const { onConnection } of this.#viewers.values()) onConnection(isOpen);
  }

  #viewersOf(session: string): Viewer[] {
    return [...this.#viewers.values()].filter((viewer) => viewer.session === session);
  }
}
