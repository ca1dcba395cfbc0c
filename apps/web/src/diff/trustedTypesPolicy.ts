import workerUrl from "@pierre/diffs/worker/worker.js?worker&url";
import DOMPurify from "dompurify";
import { addStyleNonces } from "../ui/addStyleNonces";
import { isSafeHtml } from "./safeHtml";

/** The part of Trusted Types that is used here. TypeScript's DOM library has no types for it. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createHTML(html: string): string; createScriptURL(url: string): string | null },
  ): unknown;
}

/**
 * Lets the viewer write HTML and start its worker. The viewer builds its rows as HTML strings of escaped text. The
 * browser passes each string through this policy: if an escape is missing, the HTML is sanitized and no script runs.
 */
function allowViewer(): void {
  addStyleNonces();
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  trustedTypes?.createPolicy("default", {
    createHTML: (html) => (isSafeHtml(html) ? html : DOMPurify.sanitize(html)),
    createScriptURL: (url) => (url === workerUrl ? url : null),
  });
}

allowViewer();

export const startWorker = (): Worker => new Worker(workerUrl, { type: "module" });
