import type { Protocol } from "devtools-protocol";

export type TargetInfo = Protocol.Target.TargetInfo;

/** Short names of windows for a model: w1, w2, … Each belongs to one target of the app and is never reused. */
export class WindowIds {
  readonly #ids = new Map<string, string>();

  of(targetId: string): string {
    const id = this.#ids.get(targetId) ?? `w${this.#ids.size + 1}`;
    this.#ids.set(targetId, id);
    return id;
  }
}

/** Types of targets that have a visible page. */
const shown = new Set(["page", "webview"]);

export const isShown = ({ type }: TargetInfo): boolean => shown.has(type);

export const isPrintPreview = ({ url }: TargetInfo): boolean => url.startsWith("chrome://print/");

/** Whether a page is the browser's own, such as a print preview. A new tab is not: it can navigate anywhere. */
export const isOfBrowser = ({ type, url }: TargetInfo): boolean =>
  type === "browser_ui" ||
  (/^(chrome|chrome-untrusted|edge):/.test(url) && !/^\w+:\/\/(newtab|new-tab-page)\b/.test(url));

/** Whether a target is a window or webview of the app: no page of the browser, its developer tools or an extension. */
export const isOfApp = (target: TargetInfo): boolean =>
  isShown(target) && !isOfBrowser(target) && !/^(devtools|chrome-extension):/.test(target.url);
