/** Facts about the document, read in a world whose functions the page cannot replace. */
export interface Facts {
  readonly title: string;
  readonly url: string;
  /** The browser's error, if it shows an error page: `ERR_CONNECTION_REFUSED`. */
  readonly error?: string | undefined;
  /** The HTTP status of its response; 0 if it did not come over HTTP. */
  readonly status: number;
  readonly visibility: string;
  readonly focused: boolean;
  readonly devicePixelRatio: number;
  readonly viewport: { readonly width: number; readonly height: number };
}

export interface Describing {
  facts(): Facts;
  /** The first characters of a text on one line, followed by … if it was cut. */
  cut(text: string, length: number): string;
}

export function installFacts(page: Describing): void {
  page.cut = (text, length) => {
    const line = text.replace(/\s+/g, " ").trim();
    // Keep whole characters: an emoji is two units of a string.
    return line.length <= length ? line : `${Array.from(line.slice(0, length)).slice(0, -1).join("")}…`;
  };

  page.facts = () => {
    const [entry] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
    return {
      title: page.cut(document.title, 100),
      url: page.cut(location.href, 500),
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
}
