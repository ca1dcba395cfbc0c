import { withoutLogin } from "../text";
import type { Session } from "./session";

export type Milestone = "commit" | "DOMContentLoaded" | "load";

/** An address that the page is navigating to and does not show yet. */
export interface Pending {
  readonly url: string;
  /** By `performance.now()`. */
  readonly since: number;
}

/** The navigation state of a window's top frame. */
export class Navigation {
  #pending: Pending | undefined;
  #commits = 0;
  #documents = 0;
  #unreachable: string | undefined;
  #stopCount = 0;
  readonly #reachedMilestones = new Set<Milestone>(["commit", "DOMContentLoaded", "load"]);
  readonly #waiting = new Set<() => void>();

  constructor(session: Session, frameId: string) {
    const isTop = (id: string | undefined) => id === frameId;
    let loader: string | undefined;
    const begin = (id: string, url: string, loaderId?: string) => {
      if (!isTop(id)) return;
      // If the page requested the navigation, the wait began with the request.
      const since = loader === undefined ? this.#pending?.since : undefined;
      loader = loaderId;
      this.#change(() => (this.#pending = { url: withoutLogin(url), since: since ?? performance.now() }));
    };
    const end = () => this.#change(() => (this.#pending = undefined));
    session.on("Page.frameRequestedNavigation", ({ frameId, url, disposition }) => {
      // A link that opens in another tab or window does not navigate this one.
      if (disposition === "currentTab") begin(frameId, url);
    });
    session.on("Page.frameStartedNavigating", ({ frameId, url, loaderId }) => begin(frameId, url, loaderId));
    session.on("Page.frameNavigated", ({ frame, type }) => {
      if (!isTop(frame.id)) return;
      this.#change(() => {
        this.#pending = undefined;
        this.#commits++;
        this.#documents++;
        this.#unreachable = frame.unreachableUrl && withoutLogin(frame.unreachableUrl);
        this.#reachedMilestones.clear();
        this.#reachedMilestones.add("commit");
        // A page restored from the back/forward cache has already been loaded.
        if (type === "BackForwardCacheRestore") this.#reachedMilestones.add("DOMContentLoaded").add("load");
      });
    });
    session.on("Page.navigatedWithinDocument", (event) => {
      if (!isTop(event.frameId)) return;
      this.#change(() => {
        this.#pending = undefined;
        this.#commits++;
      });
    });
    session.on("Page.lifecycleEvent", (event) => {
      if (isTop(event.frameId) && (event.name === "DOMContentLoaded" || event.name === "load"))
        this.#change(() => this.#reachedMilestones.add(event.name as Milestone));
    });
    // This event also ends a navigation that never becomes a page: a download, or a response without content.
    session.on("Page.frameStoppedLoading", (event) => {
      if (!isTop(event.frameId)) return;
      this.#stopCount++;
      end();
    });
    // If a beforeunload dialog is dismissed, the page stays, and no other event reports it.
    let asksToLeave = false;
    session.on("Page.javascriptDialogOpening", ({ type }) => {
      asksToLeave = type === "beforeunload";
    });
    session.on("Page.javascriptDialogClosed", ({ result }) => {
      if (asksToLeave && !result) end();
      asksToLeave = false;
    });
  }

  /** How often the frame has shown another document, or another place in the same one. */
  get commits(): number {
    return this.#commits;
  }

  /** How often the frame has shown another document. */
  get documents(): number {
    return this.#documents;
  }

  /** The address that could not be loaded, if the frame shows an error page. */
  get unreachable(): string | undefined {
    return this.#unreachable;
  }

  /** How often the frame has ended loading, with or without another document. */
  get stops(): number {
    return this.#stopCount;
  }

  /**
   * The navigation in progress. Until it finishes or is aborted, the browser sends no input to the current document.
   */
  get pending(): Pending | undefined {
    return this.#pending;
  }

  has(milestone: Milestone): boolean {
    return this.#reachedMilestones.has(milestone);
  }

  /** Waits for an event that makes the condition true. */
  until(condition: () => boolean, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (condition()) return resolve();
      if (signal.aborted) return reject(signal.reason);
      const end = (settle: () => void) => {
        this.#waiting.delete(recheck);
        signal.removeEventListener("abort", abort);
        settle();
      };
      const recheck = () => {
        if (condition()) end(resolve);
      };
      const abort = () => end(() => reject(signal.reason));
      this.#waiting.add(recheck);
      signal.addEventListener("abort", abort, { once: true });
    });
  }

  #change(change: () => void): void {
    change();
    for (const recheck of [...this.#waiting]) recheck();
  }
}

/** `waits for https://…, 12 s so far` */
export const waitsFor = ({ url, since }: Pending): string =>
  `waits for ${url}, ${Math.round((performance.now() - since) / 1_000)} s so far`;
