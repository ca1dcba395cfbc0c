import type { Protocol } from "devtools-protocol";
import { cutMarked, withoutLogin } from "../text";
import type { Session } from "./session";

type TargetInfo = Protocol.Target.TargetInfo;

interface Opening {
  readonly opener: string;
  readonly url: string;
}

interface Download {
  readonly name: string;
  readonly url: string;
  state: "inProgress" | "completed" | "canceled";
  place?: string | undefined;
  /** The state that was last reported. */
  reported?: Download["state"];
}

/** How long a download takes to begin at most, which needs its server's answer. */
const BEGIN_MS = 5_000;
/** How long it takes to begin at most if the address did not become a page, since its server has answered. */
const BEGIN_AFTER_ANSWER_MS = 500;
/** How many of each kind are kept. */
const MAX_REMEMBERED = 20;

/**
 * Collects events between the calls, for the next result: windows that opened, windows that the browser refused to
 * open, and downloads.
 */
export class BrowserEvents {
  /** Windows that a page has requested. */
  #openings: Opening[] = [];
  #opened: TargetInfo[] = [];
  readonly #downloads = new Map<string, Download>();
  /** Runs while a page has requested an address that may turn out to be a download. */
  #beginTimer: NodeJS.Timeout | undefined;
  readonly #waiting = new Set<() => void>();

  constructor(browser: Session) {
    browser.on("Browser.downloadWillBegin", ({ guid, url, suggestedFilename: name }) => {
      this.#downloads.set(guid, { name, url: withoutLogin(url), state: "inProgress" });
      this.#stopExpecting();
      for (const [old] of [...this.#downloads].slice(0, -MAX_REMEMBERED)) this.#downloads.delete(old);
    });
    browser.on("Browser.downloadProgress", ({ guid, state, filePath }) => {
      const download = this.#downloads.get(guid);
      if (!download) return;
      download.state = state;
      download.place = filePath;
      for (const recheck of [...this.#waiting]) recheck();
    });
  }

  /** Listens to a window. */
  listen(session: Session, targetId: string): void {
    const requested = new Set<string>();
    session.on("Page.frameRequestedNavigation", ({ frameId, disposition }) => {
      if (disposition === "download") this.#expectDownload(BEGIN_MS);
      else requested.add(frameId);
    });
    session.on("Page.frameNavigated", ({ frame }) => void requested.delete(frame.id));
    // An address that does not become a page may be a download.
    session.on("Page.frameStoppedLoading", ({ frameId }) => {
      if (requested.delete(frameId)) this.#expectDownload(BEGIN_AFTER_ANSWER_MS);
    });
    session.on("Page.windowOpen", ({ url }) => {
      this.#openings = [...this.#openings, { opener: targetId, url: withoutLogin(url) }].slice(
        -MAX_REMEMBERED,
      );
    });
  }

  /** Records that a window has opened. */
  open(target: TargetInfo): void {
    this.#opened = [...this.#opened, target].slice(-MAX_REMEMBERED);
  }

  /** Whether a download is in progress that has not been reported. */
  get isLoading(): boolean {
    return (
      this.#beginTimer !== undefined ||
      [...this.#downloads.values()].some(({ state, reported }) => state === "inProgress" && !reported)
    );
  }

  #expectDownload(withinMs: number): void {
    this.#stopExpecting();
    this.#beginTimer = setTimeout(() => {
      this.#beginTimer = undefined;
      for (const recheck of [...this.#waiting]) recheck();
    }, withinMs).unref();
  }

  #stopExpecting(): void {
    clearTimeout(this.#beginTimer);
    this.#beginTimer = undefined;
  }

  /** Waits until no such download is in progress, or until `signal` is aborted. */
  loaded(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        this.#waiting.delete(recheck);
        resolve();
      };
      const recheck = () => {
        if (!this.isLoading) end();
      };
      if (!this.isLoading || signal.aborted) return resolve();
      this.#waiting.add(recheck);
      signal.addEventListener("abort", end, { once: true });
    });
  }

  /**
   * Takes the sentences to report.
   * @param now the window's id and current address; undefined if it is not the app's, or has closed again
   */
  take(now: (targetId: string) => { id: string; url: string } | undefined): string[] {
    const sentences: string[] = [];
    for (const { targetId, openerId } of this.#opened.splice(0)) {
      const at = this.#openings.findIndex(({ opener }) => opener === openerId);
      const [asked] = at < 0 ? [] : this.#openings.splice(at, 1);
      const window = now(targetId);
      // A window that has just opened has no address yet.
      const url = window?.url || asked?.url;
      if (window) sentences.push(`A new window ${window.id} opened${url ? `: ${cutMarked(url, 200)}` : "."}`);
    }
    for (const { url } of this.#openings.splice(0))
      sentences.push(
        `The page asked for a new window${url ? ` at ${cutMarked(url, 200)}` : ""}, and the browser or the app did not open it.`,
      );
    for (const download of this.#downloads.values()) {
      if (download.reported === download.state) continue;
      download.reported = download.state;
      sentences.push(saidOf(download));
    }
    return sentences;
  }
}

function saidOf({ name, url, state, place }: Download): string {
  const subject = `The download of ${JSON.stringify(cutMarked(name, 200))}`;
  if (state === "inProgress")
    return `${subject} from ${cutMarked(url, 200)} has begun, and is not complete yet.`;
  if (state === "canceled")
    return `${subject} from ${cutMarked(url, 200)} was canceled or refused by the browser.`;
  return `${subject} is complete${place ? `: ${place}` : ""}.`;
}
