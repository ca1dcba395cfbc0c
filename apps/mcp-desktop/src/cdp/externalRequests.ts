import { cutMarked } from "../text";
import type { Session } from "./session";

/** Schemes of documents, which the browser shows itself. */
const shown = /^(https?|file|about|blob|data|javascript|chrome|devtools|view-source|filesystem):/i;

/**
 * Requests of pages for addresses that other programs open, such as `mailto:` or `vscode:`. The browser may then show a
 * prompt of its own.
 */
export class ExternalRequests {
  readonly #requested = new Map<string, string>();
  readonly #addNote: (sentence: string) => void;

  /** @param note receives a sentence about each request */
  constructor(note: (sentence: string) => void) {
    this.#addNote = note;
  }

  /** Listens to a session of the window or of a frame. */
  listen(session: Session): void {
    session.on("Page.frameRequestedNavigation", ({ frameId, url }) => {
      if (!shown.test(url)) this.#requested.set(frameId, url);
    });
    // An app may show pages of a scheme of its own.
    session.on("Page.frameNavigated", ({ frame }) => void this.#requested.delete(frame.id));
    session.on("Page.frameStoppedLoading", ({ frameId }) => {
      const url = this.#requested.get(frameId);
      if (url === undefined || !this.#requested.delete(frameId)) return;
      this.#addNote(
        `The page asked for ${cutMarked(url, 200)}, which another program opens. The browser may show a prompt about it that takes all clicks.`,
      );
    });
  }
}
