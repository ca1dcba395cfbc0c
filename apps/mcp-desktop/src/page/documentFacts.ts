import { firstCharacters } from "./firstCharacters";

/** Facts about the document, read in a world whose functions the page cannot replace. */
export interface DocumentFacts {
  readonly title: string;
  readonly url: string;
  /** The browser's error, if the document is an error page: `ERR_CONNECTION_REFUSED`. */
  readonly error?: string | undefined;
  /** The HTTP status of the document's response; 0 if it was not loaded over HTTP. */
  readonly status: number;
  readonly visibility: string;
  readonly focused: boolean;
  readonly devicePixelRatio: number;
  readonly viewport: { readonly width: number; readonly height: number };
}

export const documentFacts = (): DocumentFacts => {
  const [entry] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  return {
    title: firstCharacters(document.title, 100),
    url: firstCharacters(location.href, 500),
    ...(location.protocol === "chrome-error:" && {
      error: /\bERR_[A-Z_]+/.exec(document.body?.textContent ?? "")?.[0] ?? "unknown error",
    }),
    status: entry?.responseStatus ?? 0,
    visibility: document.visibilityState,
    focused: document.hasFocus(),
    devicePixelRatio,
    viewport: { width: innerWidth, height: innerHeight },
  };
};
