import type { Protocol } from "devtools-protocol";

export type TargetInfo = Protocol.Target.TargetInfo;

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
