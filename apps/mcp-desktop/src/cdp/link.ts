import type { Logger } from "@grove/mcp";
import { timeoutSignal, untilAborted } from "@grove/signals";
import type { Protocol } from "devtools-protocol";
import { sessionLifetime } from "../browser/sessionLifetime";
import { withoutLogin } from "../text";
import { BrowserEvents } from "./browserEvents";
import { Connection } from "./connection";
import { browserEndpoint, requireSupportedVersion } from "./endpoint";
import type { DocumentNumbers } from "./frame";
import { Page } from "./page";
import type { Session } from "./session";
import { isOfApp, isPrintPreview, isShown, type TargetInfo } from "./targets";
import { isWindowClosedError, windowClosed } from "./windowErrors";
import type { WindowIds } from "./windowIds";

/** Beyond this number, the server attaches to a window only when it is used. */
const MAX_ATTACHED = 20;

/** How long to wait for the end of a download, so that the result of the same call can report it. */
const DOWNLOAD_MS = 500;

/** Timeout for the app to dismiss the open dialogs when the server ends. */
const CLOSE_MS = 1_000;

/**
 * Attaches to each window before its scripts run. Otherwise a window that opens a dialog as its first act would block
 * itself and its opener before this server could see the dialog.
 */
const newWindows: Protocol.Target.SetAutoAttachRequest = {
  autoAttach: true,
  waitForDebuggerOnStart: true,
  flatten: true,
  filter: [{ type: "page", exclude: false }, { exclude: true }],
};

/** State that outlasts a connection. */
export interface LinkContext {
  readonly ids: WindowIds;
  readonly numbers: DocumentNumbers;
  /** The allowed origins; any origin if empty. */
  readonly origins: readonly string[];
  readonly log: Logger;
}

/** A connection to a running app, and the state of its windows. */
export class Link {
  readonly #targets = new Map<string, TargetInfo>();
  /** Sessions of targets that the browser attached by itself. */
  readonly #sessions = new Map<string, Session>();
  readonly #pages = new Map<string, Promise<Page>>();
  /** Pages of attached targets. */
  readonly #attached = new Map<string, Page>();
  readonly #dialogListeners = new Set<() => void>();
  /** Events between the calls. */
  readonly #events: BrowserEvents;
  #isDiscovered = false;
  readonly connection: Connection;
  readonly #context: LinkContext;

  private constructor(connection: Connection, context: LinkContext) {
    this.connection = connection;
    this.#context = context;
    const { browser } = connection;
    this.#events = new BrowserEvents(browser);
    browser.on("Target.targetCreated", ({ targetInfo }) => {
      if (this.#isDiscovered && isShown(targetInfo)) this.#events.open(targetInfo);
      this.#updateTarget(targetInfo);
    });
    browser.on("Target.targetInfoChanged", ({ targetInfo }) => this.#updateTarget(targetInfo));
    browser.on("Target.attachedToTarget", ({ sessionId, targetInfo }) => this.#enter(sessionId, targetInfo));
    browser.on("Target.targetDestroyed", ({ targetId }) => {
      this.#targets.delete(targetId);
      if (!this.isPrinting) this.printer = undefined;
      this.#forget(targetId);
    });
    browser.on("Target.detachedFromTarget", ({ sessionId, targetId }) => {
      if (targetId !== undefined) this.#forget(targetId);
      connection.end(sessionId, windowClosed("The window"));
    });
  }

  /**
   * Connects to an app's debugging port.
   * @param endpoint `http://127.0.0.1:9222`
   * @throws {Error} when nothing answers there, or something other than a Chromium
   * @throws {ToolError} when that is too old
   */
  static async open(endpoint: string, context: LinkContext, signal: AbortSignal): Promise<Link> {
    const connection = await Connection.open(await browserEndpoint(endpoint, signal), signal);
    try {
      const link = new Link(connection, context);
      const [{ userAgent }] = await Promise.all([
        connection.browser.send("Browser.getVersion", undefined, signal),
        // Not every app supports it. Windows are then attached to when they are discovered.
        connection.browser.send("Target.setAutoAttach", newWindows, signal).catch(() => undefined),
        // Existing targets are announced before the response.
        connection.browser.send("Target.setDiscoverTargets", { discover: true }, signal),
      ]);
      requireSupportedVersion(userAgent);
      link.#isDiscovered = true;
      // This only enables the events of downloads. Not every app supports it.
      const downloadEvents = { behavior: "default", eventsEnabled: true } as const;
      connection.browser
        .send("Browser.setDownloadBehavior", downloadEvents, sessionLifetime)
        .catch(() => undefined);
      return link;
    } catch (error) {
      connection.close();
      throw error;
    }
  }

  /** All targets, including those that are not windows. */
  get targets(): readonly TargetInfo[] {
    return [...this.#targets.values()];
  }

  windowIdOf(targetId: string): string {
    return this.#context.ids.of(targetId);
  }

  /** The id of the window that is printing. */
  printer: string | undefined;

  /** Whether a print preview is open. The page that prints does not answer until the preview is closed. */
  get isPrinting(): boolean {
    return this.targets.some(isPrintPreview);
  }

  /** Calls the listener when a print preview opens. Returns a function that stops listening. */
  onPrint(listener: () => void): () => void {
    const { browser } = this.connection;
    const onTarget = ({ targetInfo }: { targetInfo: TargetInfo }) => {
      if (isPrintPreview(targetInfo)) listener();
    };
    const stops = [
      browser.on("Target.targetCreated", onTarget),
      browser.on("Target.targetInfoChanged", onTarget),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }

  /** Calls the listener when a dialog opens in any window. Returns a function that stops listening. */
  onDialog(listener: () => void): () => void {
    this.#dialogListeners.add(listener);
    return () => this.#dialogListeners.delete(listener);
  }

  /** Returns another window with an open dialog. */
  dialogBeside(page: Page): Page | undefined {
    return [...this.#attached.values()].find((other) => other !== page && other.dialogs.open !== undefined);
  }

  /** Returns another window that this server could not attach to yet. */
  stuckBeside(page: Page): Page | undefined {
    return [...this.#attached.values()].find((other) => other !== page && !other.isAttached);
  }

  /** Ends the connection; the app keeps running. Dialogs that only this server could answer are dismissed first. */
  async close(): Promise<void> {
    const timeout = timeoutSignal(CLOSE_MS);
    await Promise.all([...this.#attached.values()].map(({ dialogs }) => dialogs.dismiss(timeout)));
    this.connection.close();
  }

  /** Sentences about what has happened since the last call. Waits a moment for a download to end. */
  async takeEvents(signal: AbortSignal): Promise<string[]> {
    if (this.#events.isLoading) await this.#events.loaded(timeoutSignal(DOWNLOAD_MS, signal));
    return this.#events.take((targetId) => {
      const target = this.#targets.get(targetId);
      return target && isOfApp(target) ? { id: this.windowIdOf(targetId), url: target.url } : undefined;
    });
  }

  /**
   * Attaches to a window, once.
   * @throws {ToolError} window_closed when it no longer exists; it is then removed from the targets
   */
  page(targetId: string, signal: AbortSignal): Promise<Page> {
    return untilAborted(this.#attach(targetId), signal);
  }

  #forget(targetId: string): void {
    this.#sessions.delete(targetId);
    this.#pages.delete(targetId);
    this.#attached.delete(targetId);
  }

  #updateTarget(found: TargetInfo): void {
    const info = { ...found, url: withoutLogin(found.url) };
    this.#targets.set(info.targetId, info);
    // Attach immediately, so that the console log is complete from the beginning.
    if (!isOfApp(info) || this.#pages.size >= MAX_ATTACHED) return;
    this.#context.ids.of(info.targetId);
    this.#attach(info.targetId).catch((error: unknown) =>
      this.#context.log.debug("not attached", { url: info.url, error }),
    );
  }

  /** Lets a new window run once its events arrive here. */
  #enter(sessionId: string, info: TargetInfo): void {
    // The session that was requested.
    if (this.#pages.has(info.targetId)) return;
    const session = this.connection.session(sessionId);
    this.#sessions.set(info.targetId, session);
    this.#updateTarget(info);
    session.send("Runtime.runIfWaitingForDebugger", undefined, sessionLifetime).catch(() => undefined);
  }

  #attach(targetId: string): Promise<Page> {
    const existing = this.#pages.get(targetId);
    if (existing) return existing;
    const session = this.#sessions.get(targetId);
    const page = session
      ? Promise.resolve(this.#createPage(targetId, session))
      : this.connection.browser
          .send("Target.attachToTarget", { targetId, flatten: true }, timeoutSignal(10_000))
          .then(({ sessionId }) => this.#createPage(targetId, this.connection.session(sessionId)));
    this.#pages.set(targetId, page);
    page.catch((error: unknown) => {
      this.#forget(targetId);
      if (isWindowClosedError(error)) this.#targets.delete(targetId);
    });
    return page;
  }

  #createPage(targetId: string, session: Session): Page {
    this.#events.listen(session, targetId);
    const { ids, numbers, origins } = this.#context;
    const opener = this.#attached.get(this.#targets.get(targetId)?.openerId ?? "");
    const page = new Page(this.connection, session, targetId, ids.of(targetId), numbers, origins, opener);
    this.#attached.set(targetId, page);
    page.dialogs.onOpen(() => {
      for (const listener of [...this.#dialogListeners]) listener();
    });
    return page;
  }
}
