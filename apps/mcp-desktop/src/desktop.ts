import { type Logger, ToolError } from "@grove/mcp";
import { messageOf } from "@grove/schemas";
import { timeoutSignal, untilAborted } from "@grove/signals";
import { checkOrigin } from "./access/origins";
import type { Redact } from "./access/redact";
import { matches } from "./access/wildcard";
import { DocumentNumbers } from "./cdp/frame";
import { Link, type LinkContext } from "./cdp/link";
import type { Page } from "./cdp/page";
import { isOfApp, isOfBrowser } from "./cdp/targets";
import { isWindowClosedError } from "./cdp/windowErrors";
import { WindowIds } from "./cdp/windowIds";
import { cutMarked } from "./text";

export interface DesktopOptions {
  /** The address of the app's debugging port. */
  readonly cdpUrl: string;
  /** Starts the app, if this server is to do so, and returns the address of its debugging port. */
  readonly launch?: (() => Promise<string>) | undefined;
  /** Part of the address or title of the app's window; `*` matches anything. */
  readonly appUrl?: string | undefined;
  /** The allowed origins; any origin if empty. */
  readonly origins: readonly string[];
  readonly redact: Redact;
  readonly log: Logger;
}

const CONNECT_MS = 5_000;

/**
 * The driven app. The connection is made lazily, once for concurrent first calls, and again after a restart of the app.
 */
export class Desktop {
  readonly #context: LinkContext;
  #link: Promise<Link> | undefined;
  /** The window chosen for calls that name none. */
  #chosenWindow: string | undefined;
  #connections = 0;
  readonly #notes: string[] = [];
  readonly options: DesktopOptions;

  constructor(options: DesktopOptions) {
    this.options = options;
    const { origins, log } = options;
    this.#context = { ids: new WindowIds(), numbers: new DocumentNumbers(), origins, log };
  }

  /** @throws {ToolError} app_unreachable */
  async link(signal: AbortSignal): Promise<Link> {
    this.#link ??= this.#connect();
    return untilAborted(this.#link, signal);
  }

  /** Removes secrets from a text. */
  redact(text: string): string {
    return this.options.redact(text);
  }

  /** Keeps a sentence for the next result. */
  note(...sentences: readonly string[]): void {
    this.#notes.push(...sentences);
  }

  /** @throws {ToolError} when the window shows a page of an origin that is not allowed */
  async checkOrigin({ targetId }: Page, signal: AbortSignal): Promise<void> {
    const { targets } = await this.link(signal);
    checkOrigin(targets.find((target) => target.targetId === targetId)?.url ?? "", this.options.origins);
  }

  /** The notes for the next result. */
  async takeNotes(signal: AbortSignal): Promise<string[]> {
    const link = await this.#link?.catch(() => undefined);
    const events = (await link?.takeEvents(signal)) ?? [];
    return [...this.#notes.splice(0), ...events];
  }

  /** Ends the connection; the app keeps running. */
  async close(): Promise<void> {
    const link = await this.#link?.catch(() => undefined);
    await link?.close();
  }

  /**
   * The window that a call uses: the named one, otherwise the one used before, otherwise the app's most likely one.
   * @throws {ToolError} when there is no such window
   */
  async page(windowId: string | undefined, signal: AbortSignal): Promise<Page> {
    const link = await this.link(signal);
    for (;;) {
      const targetId =
        windowId === undefined ? await this.#choice(link, signal) : this.#targetOf(link, windowId);
      try {
        return await link.page(targetId, signal);
      } catch (error) {
        // The window has just been closed, and is no longer among the targets.
        if (!isWindowClosedError(error)) throw error;
      }
    }
  }

  #targetOf(link: Link, windowId: string): string {
    const windows = link.targets.filter(isOfApp);
    const named = windows.find(({ targetId }) => link.windowIdOf(targetId) === windowId);
    if (named) return named.targetId;
    const openWindows = windows.map(
      ({ targetId, url }) => `${link.windowIdOf(targetId)} at ${cutMarked(url, 200)}`,
    );
    throw new ToolError(
      "unknown_window",
      `There is no window ${JSON.stringify(windowId)}`,
      `Open now: ${openWindows.join(", ") || "none"}.`,
    );
  }

  async #choice(link: Link, signal: AbortSignal): Promise<string> {
    const { chosen, others } = await this.choose(link, signal);
    if (chosen.targetId !== this.#chosenWindow) {
      this.#chosenWindow = chosen.targetId;
      if (others > 0)
        this.note(
          `Of ${others + 1} windows ${link.windowIdOf(chosen.targetId)} was chosen; get_window_info lists them, windowId names another.`,
        );
    }
    return chosen.targetId;
  }

  /** The target to use if a call names no window, and the number of other candidates. */
  async choose(link: Link, signal: AbortSignal) {
    const { appUrl } = this.options;
    const windows = link.targets.filter(isOfApp);
    const matchingWindows = windows.filter(
      ({ url, title }) => appUrl === undefined || matches(url, appUrl) || matches(title, appUrl),
    );
    // A chosen window stays chosen, even at an address that does not match, such as an external sign-in.
    const before = windows.find(({ targetId }) => targetId === this.#chosenWindow);
    if (before)
      return { chosen: before, others: matchingWindows.filter((window) => window !== before).length };
    const pages = matchingWindows.filter(({ type }) => type === "page");
    const filled = pages.filter(({ url }) => url !== "about:blank");
    const [first, ...rest] = [filled, pages, matchingWindows].find((group) => group.length > 0) ?? [];
    if (first)
      return {
        chosen: rest.length === 0 ? first : await this.#visible(link, [first, ...rest], signal),
        others: matchingWindows.length - 1,
      };
    const others = link.targets.filter((target) => !isOfBrowser(target));
    const otherTargets = others.map(({ type, url }) => `${type} ${cutMarked(url, 100)}`).slice(0, 10);
    throw new ToolError(
      "no_window",
      appUrl === undefined
        ? "The app has no window"
        : `No window of the app has the address ${JSON.stringify(appUrl)}`,
      `Open one, or change APP_URL. Its targets: ${otherTargets.join(", ") || "none"}.`,
    );
  }

  /** Apps keep hidden windows, so the first visible one is chosen. */
  async #visible(link: Link, windows: readonly [WindowTarget, ...WindowTarget[]], signal: AbortSignal) {
    const timeout = timeoutSignal(1_000, signal);
    const states = await Promise.all(
      windows
        .map(async ({ targetId }) => {
          const page = await link.page(targetId, timeout);
          const expression = "document.visibilityState === 'visible'";
          return (await page.session.send("Runtime.evaluate", { expression }, timeout)).result.value === true;
        })
        .map((state) => state.catch(() => false)),
    );
    return windows.find((_, index) => states[index]) ?? windows[0];
  }

  async #connect(): Promise<Link> {
    const { launch, log } = this.options;
    let { cdpUrl } = this.options;
    try {
      if (launch) cdpUrl = await launch();
      const link = await Link.open(cdpUrl, this.#context, timeoutSignal(CONNECT_MS));
      link.connection.onClose((why) => {
        log.info("disconnected", { why });
        this.#link = undefined;
      });
      if (!link.connection.isOpen) this.#link = undefined;
      if (++this.#connections > 1)
        this.note("Reconnected: the app had ended the connection, so it may have been restarted.");
      return link;
    } catch (error) {
      this.#link = undefined;
      log.info("not connected", { error: error instanceof ToolError ? error.message : reasonOf(error) });
      if (error instanceof ToolError) throw error;
      throw new ToolError(
        "app_unreachable",
        `No debugging port of an app answers at ${cdpUrl} (${reasonOf(error)})`,
        `Start the app with --remote-debugging-port=${portOf(cdpUrl)}, or name its port in CDP_URL; \`grove-mcp-desktop doctor\` reports more.`,
      );
    }
  }
}

type WindowTarget = Link["targets"][number];

/** The port of an address, even if it is the default one. */
export function portOf(address: string): string {
  const { port, protocol } = new URL(address);
  return port || (/^(https|wss):/.test(protocol) ? "443" : "80");
}

/** Extracts `ECONNREFUSED` from fetch's "fetch failed". */
export function reasonOf(error: unknown): string {
  const cause: unknown = error instanceof Error && error.cause ? error.cause : error;
  if (cause instanceof Error && "code" in cause && typeof cause.code === "string") return cause.code;
  return messageOf(cause);
}
