import type { InPage } from "./script";

/** The locators of an element. If several are given, all must match the same element. */
export interface Query {
  readonly ref?: string | undefined;
  readonly selector?: string | undefined;
  readonly testId?: string | undefined;
  readonly text?: string | undefined;
  readonly fuzzy?: boolean | undefined;
}

/** A query that can never be answered. */
export interface Refusal {
  readonly code: "invalid_selector" | "stale_ref" | "not_a_ref";
  readonly message: string;
}

export interface Finding {
  /** Visits every rendered element from `root` down, through shadow roots and frames, in display order. */
  walk(root: Element, visit: (element: Element) => void): void;
  /** Visible matches, the best first. */
  find(query: Query): Element[] | Refusal;
  /** Descriptions of the visible elements that come closest to the query. */
  nearest(query: Query): string[];
  /** The select that has an option with this text. */
  selectWith(text: string): string | undefined;
  /** `<button> "Save" [e3]` */
  describe(element: Element): string;
}

export function installFinding(page: InPage): void {
  page.walk = (root, visit) => {
    if (/^(script|style|noscript|template|head)$/.test(root.localName) || page.isGone(root)) {
      // A hidden control is reached through its label.
      if (root.localName === "input" && page.labelOf(root)) visit(root);
      return;
    }
    visit(root);
    if (root.localName === "svg") {
      for (const part of page.partsOf(root)) {
        if (part.parentElement?.localName === "foreignObject") page.walk(part, visit);
        else if (!page.isGone(part)) visit(part);
      }
      return;
    }
    for (const child of page.childrenOf(root)) if (child.nodeType === 1) page.walk(child as Element, visit);
  };

  const roots = (): (Document | ShadowRoot)[] => {
    const found: (Document | ShadowRoot)[] = [document];
    for (const root of found)
      for (const element of root.querySelectorAll("*")) {
        const inner = page.shadowOf(element) ?? page.frameDocument(element);
        if (inner) found.push(inner);
      }
    return found;
  };

  const bySelector = (selector: string): Element[] | Refusal => {
    try {
      return roots().flatMap((root) => [...root.querySelectorAll(selector)]);
    } catch {
      return { code: "invalid_selector", message: `${JSON.stringify(selector)} is not a CSS selector` };
    }
  };

  page.find = ({ ref, selector, testId, text, fuzzy = true }) => {
    let found: Element[] | undefined;
    if (ref !== undefined) {
      const element = page.byRef(ref);
      if (!element) {
        const code = page.wasRef(ref) ? "stale_ref" : "not_a_ref";
        return { code, message: `${JSON.stringify(ref)} is not an element of the current page` };
      }
      found = [element];
    }
    if (selector !== undefined) {
      const selected = bySelector(selector);
      if (!Array.isArray(selected)) return selected;
      found = found ? found.filter((element) => selected.includes(element)) : selected;
    }
    if (testId !== undefined) {
      const byId = (element: Element) => element.getAttribute("data-testid") === testId;
      const all = found ?? roots().flatMap((root) => [...root.querySelectorAll("[data-testid]")]);
      found = all.filter(byId);
    }
    if (text !== undefined) return page.byText(text, fuzzy, found);
    return found ?? [];
  };

  page.describe = (element) => {
    const name = page.cut(page.nameOf(element) || page.textOf(element), 60);
    return `<${page.tagOf(element)}>${name ? ` ${JSON.stringify(name)}` : ""} [${page.refOf(element)}]`;
  };

  page.selectWith = (text) => {
    let found: string | undefined;
    page.walk(document.documentElement, (element) => {
      if (found !== undefined || element.localName !== "select") return;
      const { options } = element as HTMLSelectElement;
      const isHere = [...options].some(({ label }) => page.rank(label, text, true) !== undefined);
      if (isHere && page.isShown(element)) found = page.describe(element);
    });
    return found;
  };

  page.nearest = ({ text, testId, selector }) => {
    const sought = page.fold(text ?? testId ?? selector ?? "");
    const pairs = (word: string) =>
      new Set(Array.from({ length: Math.max(1, word.length - 1) }, (_, at) => word.slice(at, at + 2)));
    const wanted = pairs(sought);
    const scored: { element: Element; score: number }[] = [];
    if (document.documentElement)
      page.walk(document.documentElement, (element) => {
        if (scored.length >= 5_000) return;
        const word =
          text === undefined
            ? (element.getAttribute("data-testid") ??
              (selector === undefined ? "" : `${element.localName}#${element.id}.${element.className}`))
            : page.isInteractive(element) || page.ownText(element).trim()
              ? page.cut(page.nameOf(element) || page.textOf(element), 80)
              : "";
        if (!word || !page.isShown(element)) return;
        const own = pairs(page.fold(word));
        const shared = [...own].filter((pair) => wanted.has(pair)).length;
        if (shared > 0)
          scored.push({
            element,
            score: (2 * shared) / (own.size + wanted.size) + (page.isInteractive(element) ? 0.1 : 0),
          });
      });
    return scored
      .sort((a, b) => b.score - a.score)
      .slice(0, 5)
      .map(({ element }) => {
        const id = element.getAttribute("data-testid");
        return page.describe(element) + (text === undefined && id ? ` #${id}` : "");
      });
  };
}
