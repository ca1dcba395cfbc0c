import workerUrl from "@pierre/diffs/worker/worker.js?worker&url";
import DOMPurify from "dompurify";
import { stampStyles } from "../ui/stampStyles";
import { isPlain } from "./plain";

/** The part of Trusted Types that is used here; TypeScript's library does not know them. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createHTML(html: string): string; createScriptURL(url: string): string | null },
  ): unknown;
}

/**
 * Lets the viewer write HTML and start its worker. It builds rows as strings, of text that it has escaped. The browser
 * passes each of them through this policy, so that a slip there would show as text that is missing, and never run.
 */
function allowViewer(): void {
  stampStyles();
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  trustedTypes?.createPolicy("default", {
    createHTML: (html) => (isPlain(html) ? html : DOMPurify.sanitize(html)),
    createScriptURL: (url) => (url === workerUrl ? url : null),
  });
}

allowViewer();

/** Starts the worker that colours the lines. */
export const startWorker = (): Worker => new Worker(workerUrl, { type: "module" });
