import type { InPage } from "./script";

/** What to look for. Several locators must all match the same element. */
export interface Query {
  readonly ref?: string | undefined;
  readonly selector?: string | undefined;
  readonly testId?: string | undefined;
  readonly text?: string | undefined;
  readonly fuzzy?: boolean | undefined;
}

/** A query that cannot be answered, now or later. */
export interface Refusal {
  readonly code: "invalid_selector" | "stale_ref";
  readonly message: string;
}

export interface Finding {
  /** Every rendered element from `root` down, through shadow roots and frames, in the order it is shown. */
  walk(root: Element, visit: (element: Element) => void): void;
  /** Visible matches, the best first. */
  find(query: Query): Element[] | Refusal;
  /** How well a text fits what was asked for: 0 is exact, undefined not at all. */
  rank(text: string, wanted: string, fuzzy: boolean): number | undefined;
  fold(text: string): string;
  /** Descriptions of the visible elements that come closest to what was not found. */
  nearest(query: Query): string[];
  /** `<button> "Save" [e3]` */
  describe(element: Element): string;
}

export function installFinding(page: InPage): void {
  const clean = (text: string) =>
    text
      .normalize("NFC")
      // Marks of writing direction and joiners are not seen.
      .replace(/[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, "")
      .replace(/\s+/g, " ")
      .trim();

  page.fold = (text) =>
    clean(text)
      .normalize("NFKD")
      .replace(/\p{M}+/gu, "")
      .toLowerCase()
      .replace(/^[\s:*.\u2026]+|[\s:*.\u2026]+$/g, "");

  /** Edits from one short text to another, or more than `most`. */
  const distance = (a: string, b: string, most: number): number => {
    if (Math.abs(a.length - b.length) > most) return most + 1;
    let row = Array.from({ length: b.length + 1 }, (_, index) => index);
    for (let i = 1; i <= a.length; i++) {
      const next = [i];
      for (let j = 1; j <= b.length; j++)
        next[j] = Math.min(
          (row[j] ?? 0) + 1,
          (next[j - 1] ?? 0) + 1,
          (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1),
        );
      row = next;
    }
    return row[b.length] ?? 0;
  };

  page.rank = (text, wanted, fuzzy) => {
    if (clean(text) === clean(wanted)) return 0;
    if (!fuzzy) return undefined;
    const name = page.fold(text);
    const sought = page.fold(wanted);
    if (name === "" || sought === "") return undefined;
    if (name === sought) return 1;
    if (name.startsWith(sought)) return 2;
    if (name.includes(sought)) return 3;
    if (sought.includes(" ") && sought.split(" ").every((word) => name.includes(word))) return 4;
    const typos = Math.floor(sought.length / 5);
    return typos > 0 && distance(name, sought, typos) <= typos ? 5 : undefined;
  };

  page.walk = (root, visit) => {
    if (/^(script|style|noscript|template|head)$/.test(root.localName) || page.isGone(root)) {
      // A hidden control is reached through its label.
      if (root.localName === "input" && page.labelOf(root)) visit(root);
      return;
    }
    visit(root);
    if (root.localName === "svg") return;
    for (const child of page.childrenOf(root)) if (child.nodeType === 1) page.walk(child as Element, visit);
  };

  /** An element is found by what a person can see of it: itself, or its label. */
  const isShown = (element: Element) => {
    const shown = page.isVisible(element) ? element : page.labelOf(element);
    if (!shown) return false;
    const box = shown.getBoundingClientRect();
    return box.width > 0 && box.height > 0;
  };

  const roots = (): (Document | ShadowRoot)[] => {
    const found: (Document | ShadowRoot)[] = [document];
    for (const root of found)
      for (const element of root.querySelectorAll("*")) {
        const inner = element.shadowRoot ?? page.frameDocument(element);
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

  /** What a person would take for the element's text: its name, what it shows, its placeholder. */
  const textsOf = (element: Element): string[] => {
    const texts: string[] = [];
    const interactive = page.isInteractive(element);
    if (interactive || element.hasAttribute("aria-label") || /^(img|svg)$/.test(element.localName))
      texts.push(page.nameOf(element), element.getAttribute("placeholder") ?? "");
    if (interactive || page.ownText(element).trim() !== "") {
      const shown = page.textOf(element);
      texts.push(shown, ...shown.split("\n"));
    }
    return texts.filter((text) => text !== "");
  };

  const rankOf = (element: Element, wanted: string, fuzzy: boolean) => {
    const ranks = textsOf(element)
      .map((text) => page.rank(text, wanted, fuzzy))
      .filter((rank) => rank !== undefined);
    return ranks.length === 0 ? undefined : Math.min(...ranks);
  };

  const byText = (wanted: string, fuzzy: boolean, among: readonly Element[] | undefined): Element[] => {
    const ranks = new Map<Element, number>();
    const consider = (element: Element) => {
      const rank = rankOf(element, wanted, fuzzy);
      if (rank !== undefined && isShown(element)) ranks.set(element, rank);
    };
    if (among) for (const element of among) consider(element);
    // A document that has just begun has nothing in it.
    else if (document.documentElement) page.walk(document.documentElement, consider);
    // A guess at what was misspelled counts only where nothing is spelled so.
    if (Math.min(...ranks.values()) < 5)
      for (const [element, rank] of ranks) if (rank === 5) ranks.delete(element);
    if (!among) keepSmallest(ranks);
    return [...ranks].sort(([, a], [, b]) => a - b).map(([element]) => element);
  };

  /** Of elements within each other one is meant: the control if there is one, else the innermost. */
  const keepSmallest = (ranks: Map<Element, number>) => {
    for (const [element, rank] of [...ranks]) {
      for (let at = page.parentOf(element); at; at = page.parentOf(at)) {
        const outer = ranks.get(at);
        if (outer === undefined) continue;
        if (page.isInteractive(at) && outer <= rank && !page.isInteractive(element)) ranks.delete(element);
        else if (rank <= outer && !page.isInteractive(at)) ranks.delete(at);
      }
    }
    for (const element of [...ranks.keys()]) {
      const control = element.localName === "label" ? (element as HTMLLabelElement).control : null;
      if (control && ranks.has(control)) ranks.delete(element);
    }
  };

  page.find = ({ ref, selector, testId, text, fuzzy = true }) => {
    let found: Element[] | undefined;
    if (ref !== undefined) {
      const element = page.byRef(ref);
      if (!element)
        return {
          code: "stale_ref",
          message: `${JSON.stringify(ref)} is no element of the page as it is now`,
        };
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
    if (text !== undefined) return byText(text, fuzzy, found);
    return found ?? [];
  };

  page.describe = (element) => {
    const name = page.cut(page.nameOf(element) || page.textOf(element), 60);
    return `<${page.tagOf(element)}>${name ? ` ${JSON.stringify(name)}` : ""} [${page.refOf(element)}]`;
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
        if (!word || !isShown(element)) return;
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
