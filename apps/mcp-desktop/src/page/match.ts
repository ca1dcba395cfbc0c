import type { InPage } from "./script";

/** The place of a matched text in an element. */
interface Spot {
  /** The innermost element around it. */
  readonly element: Element;
  /** In CSS pixels of the document's own viewport. */
  readonly rects: readonly DOMRect[];
}

export interface Matching {
  /** Normalizes a text for comparison: without case, accents and surrounding punctuation. */
  fold(text: string): string;
  /**
   * How well a text matches: 0 is exact, 1 ignores case, accents and punctuation. From 2 on it is a loose match, whose
   * text contains more than the wanted text. Undefined if it does not match.
   */
  rank(text: string, wanted: string, fuzzy: boolean): number | undefined;
  /** Visible elements that bear a text, the best first. Of nested elements, only the one that is meant. */
  byText(wanted: string, fuzzy: boolean, among: readonly Element[] | undefined): Element[];
  isLoose(element: Element, wanted: string): boolean;
  /** The place of the text in an element; undefined if it is a label, a placeholder, or split into pieces. */
  spotOf(element: Element, wanted: string): Spot | undefined;
  /** Whether a person can see the element or its label. */
  isShown(element: Element): boolean;
}

export function installMatching(page: InPage): void {
  const clean = (text: string) =>
    text
      .normalize("NFC")
      // Direction marks and joiners are invisible.
      .replace(/[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, "")
      .replace(/\s+/g, " ")
      .trim();

  page.fold = (text) =>
    clean(text)
      .normalize("NFKD")
      .replace(/\p{M}+/gu, "")
      .toLowerCase()
      .replace(/^[\s:*.\u2026]+|[\s:*.\u2026]+$/g, "");

  /** Scripts without spaces between words. */
  const unspaced =
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
  const letter = /[\p{L}\p{N}]/u;
  /** Whether a word may end between two characters. */
  const parts = (before: string, after: string) =>
    !letter.test(before) || !letter.test(after) || unspaced.test(before) || unspaced.test(after);

  /** The position of a text in another. It must start at the start of a word and, if `whole`, end at the end of one. */
  const indexOfWords = (text: string, sought: string, whole: boolean): number => {
    for (let at = text.indexOf(sought); at >= 0; at = text.indexOf(sought, at + 1)) {
      const end = at + sought.length;
      const begins = at === 0 || parts(text[at - 1] ?? "", text[at] ?? "");
      if (begins && (!whole || end === text.length || parts(text[end - 1] ?? "", text[end] ?? ""))) return at;
    }
    return -1;
  };

  /** Words that reverse the meaning of what follows: "Save" is not "Don't save". */
  const turning = /(^|[^\p{L}])(no|not|never|without|don.?t|cancel|undo|stop|disable)($|[^\p{L}])/u;

  /** Kept between calls, since one text is searched for in thousands. */
  let last = { wanted: "", exact: "", sought: "" };

  page.rank = (text, wanted, fuzzy) => {
    if (wanted !== last.wanted) last = { wanted, exact: clean(wanted), sought: page.fold(wanted) };
    const { exact, sought } = last;
    if (clean(text) === exact) return 0;
    if (!fuzzy) return undefined;
    const name = page.fold(text);
    if (name === "" || sought === "") return undefined;
    if (name === sought) return 1;
    if (turning.test(name) && !turning.test(sought)) return undefined;
    const at = indexOfWords(name, sought, true);
    if (at >= 0) return at === 0 ? 2 : 3;
    const words = sought.split(" ");
    if (words.every((word) => indexOfWords(name, word, true) >= 0)) return 4;
    return words.every((word) => indexOfWords(name, word, false) >= 0) ? 5 : undefined;
  };

  page.isShown = (element) => {
    const shown = page.shownBy(element);
    if (!page.isVisible(shown)) return false;
    const { width, height } = page.boxOf(shown);
    return width > 0 && height > 0;
  };

  interface Match {
    readonly rank: number;
    /** Only one of its lines matches, so an element in that line may be meant instead. */
    readonly isPart: boolean;
    readonly isControl: boolean;
  }

  const best = (texts: readonly string[], wanted: string, fuzzy: boolean): number | undefined => {
    let least: number | undefined;
    // Most often all of them are equal.
    for (const text of new Set(texts)) {
      if (text === "") continue;
      const rank = page.rank(text, wanted, fuzzy);
      if (rank !== undefined && (least === undefined || rank < least)) least = rank;
    }
    return least;
  };

  const ownTexts = (element: Element): string =>
    page
      .childrenOf(element)
      .map((child) => (child.nodeType === 3 ? (child.nodeValue ?? "") : ""))
      .join(" ");

  /**
   * Compares everything that a person would take for the element's text: its name, its visible text, its placeholder.
   */
  const matchOf = (element: Element, wanted: string, fuzzy: boolean): Match | undefined => {
    const isControl = page.isInteractive(element);
    const isNamed = isControl || element.hasAttribute("aria-label") || /^(img|svg)$/.test(element.localName);
    const own = ownTexts(element);
    const isText = own.trim() !== "" || element.localName === "text";
    if (!isNamed && !isText) return undefined;
    const shown = isControl || isText ? page.textOf(element) : "";
    const named = isNamed ? [page.nameOf(element), element.getAttribute("placeholder") ?? ""] : [];
    const rank = best([...named, shown, own], wanted, fuzzy);
    const lines = shown.split("\n");
    const part = rank === 0 || lines.length < 2 ? undefined : best(lines, wanted, fuzzy);
    if (part !== undefined && (rank === undefined || part < rank))
      return { rank: part, isPart: true, isControl };
    return rank === undefined ? undefined : { rank, isPart: false, isControl };
  };

  page.isLoose = (element, wanted) => (matchOf(element, wanted, true)?.rank ?? 0) > 1;

  page.byText = (wanted, fuzzy, among) => {
    const matches = new Map<Element, Match>();
    const consider = (element: Element) => {
      const match = matchOf(element, wanted, fuzzy);
      if (match && page.isShown(element)) matches.set(element, match);
    };
    if (among) for (const element of among) consider(element);
    // A new document may have no element yet.
    else if (document.documentElement) page.walk(document.documentElement, consider);
    if (!among) keepMeant(matches);
    const orderOf = ({ rank, isPart }: Match) => 2 * rank + (isPart ? 1 : 0);
    return [...matches].sort(([, a], [, b]) => orderOf(a) - orderOf(b)).map(([element]) => element);
  };

  /** Of nested elements, keeps the control that is named by the text, otherwise the innermost. */
  const keepMeant = (matches: Map<Element, Match>) => {
    for (const [element, inner] of [...matches]) {
      for (let at = page.parentOf(element); at; at = page.parentOf(at)) {
        const outer = matches.get(at);
        if (outer === undefined) continue;
        const isNameOfOuter = outer.isControl && !outer.isPart && !inner.isControl;
        if (isNameOfOuter && outer.rank <= inner.rank) matches.delete(element);
        else if (!isNameOfOuter && inner.rank <= outer.rank) matches.delete(at);
      }
    }
    for (const element of [...matches.keys()]) {
      const control = element.localName === "label" ? (element as HTMLLabelElement).control : null;
      if (control && matches.has(control)) matches.delete(element);
    }
  };

  page.spotOf = (element, wanted) => {
    let found: { node: Node; parent: Element; rank: number } | undefined;
    let left = 2_000;
    const visit = (parent: Element): void => {
      for (const child of page.childrenOf(parent)) {
        if (left-- < 0 || found?.rank === 0) return;
        if (child.nodeType === 1) visit(child as Element);
        if (child.nodeType !== 3) continue;
        const rank = page.rank(child.nodeValue ?? "", wanted, true);
        if (rank !== undefined && rank < (found?.rank ?? 9) && page.isVisible(parent))
          found = { node: child, parent, rank };
      }
    };
    visit(element);
    if (!found) return undefined;
    const range = found.parent.ownerDocument.createRange();
    range.selectNodeContents(found.node);
    return { element: found.parent, rects: [...range.getClientRects()] };
  };
}
