import type { InPage } from "./script";

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The document as a person sees it: it includes shadow roots and same-origin frames, but nothing hidden. */
export interface Dom {
  refOf(element: Element): string;
  /** Undefined if this document never issued the ref, or its element no longer exists. */
  byRef(ref: string): Element | undefined;
  /** Keeps an element's ref even if it is not in the document. Its description. */
  keep(element: Element): string;
  /** The root element of a document with at most that many elements. */
  root(most: number): Element | undefined;
  /** Whether a document of this app may have issued it. */
  wasRef(ref: string): boolean;
  /** The child nodes as rendered: of the open shadow root, of a slot, or of the frame's document. */
  childrenOf(element: Element): readonly Node[];
  /**
   * The shapes of a drawing that a person can read or use: texts, links, and anything that has a role or takes a click.
   */
  partsOf(svg: Element): readonly Element[];
  /** Whether it contains nothing but text. */
  isLeaf(element: Element): boolean;
  parentOf(node: Node): Element | undefined;
  contains(ancestor: Element, node: Node): boolean;
  /** The focused element, inside shadow roots and frames too. */
  focused(): Element | undefined;
  /** The shadow root of an element: an open one, or a closed one that the server has brought in. */
  shadowOf(element: Element): ShadowRoot | undefined;
  /** Makes a closed shadow root part of the document. Whether it was new. */
  openRoot(root: Node): boolean;
  /** `el.tagName`, in lower case. */
  tagOf(element: Element): string;
  isEditable(element: Element): boolean;
  /** Whether a script takes what is typed into it (https://w3c.github.io/edit-context/). Its text is not in the DOM. */
  isEditor(element: Element): boolean;
  frameDocument(element: Element): Document | undefined;
}

export function installDom(page: InPage, prefix: string): void {
  const refs = new WeakMap<Element, string>();
  const elements = new Map<string, WeakRef<Element>>();
  let lastRef = 0;

  page.refOf = (element) => {
    const known = refs.get(element);
    if (known !== undefined) return known;
    const ref = `${prefix}e${++lastRef}`;
    refs.set(element, ref);
    elements.set(ref, new WeakRef(element));
    // Now and then, forget elements that the page has removed.
    if (elements.size % 5_000 === 0)
      for (const [old, held] of elements) if (!held.deref()?.isConnected) elements.delete(old);
    return ref;
  };

  page.byRef = (ref) => {
    const element = elements.get(ref)?.deref();
    return element?.isConnected || (element && kept.has(element)) ? element : undefined;
  };

  const kept = new Set<Element>();

  page.keep = (element) => {
    kept.add(element);
    return page.describe(element);
  };

  page.root = (most) =>
    document.getElementsByTagName("*").length > most ? undefined : document.documentElement;

  const closed = new WeakMap<Element, ShadowRoot>();

  page.shadowOf = (element) => element.shadowRoot ?? closed.get(element);

  page.openRoot = (root) => {
    const { host } = root as ShadowRoot;
    if (closed.has(host)) return false;
    closed.set(host, root as ShadowRoot);
    return true;
  };

  page.wasRef = (ref) => {
    const [, document, number] = /^(\d*)e(\d+)$/.exec(ref) ?? [];
    return number !== undefined && (document !== prefix || Number(number) <= lastRef);
  };

  page.tagOf = (element) => element.localName.toLowerCase();

  page.frameDocument = (element) => {
    if (element.localName !== "iframe" && element.localName !== "frame") return undefined;
    try {
      return (element as HTMLIFrameElement).contentDocument ?? undefined;
    } catch {
      return undefined;
    }
  };

  /** Takes a third of the time of the list's own iterator. */
  const nodesOf = (parent: Node): Node[] => {
    const nodes: Node[] = [];
    for (let node = parent.firstChild; node; node = node.nextSibling) nodes.push(node);
    return nodes;
  };

  page.isLeaf = (element) =>
    element.firstElementChild === null &&
    !page.shadowOf(element) &&
    !/^(slot|iframe|frame|textarea|select|br|img)$/.test(element.localName);

  page.childrenOf = (element) => {
    const shadow = page.shadowOf(element);
    if (shadow) return nodesOf(shadow);
    if (element.localName === "slot") {
      const assigned = (element as HTMLSlotElement).assignedNodes();
      if (assigned.length > 0) return assigned;
    }
    const body = page.frameDocument(element)?.body;
    return body ? [body] : nodesOf(element);
  };

  const named = "[role]:not([role=presentation], [role=none]), [tabindex], [onclick], a, text";
  page.partsOf = (svg) =>
    svg.firstElementChild === null
      ? []
      : [...svg.querySelectorAll(`${named}, foreignObject > *`)].filter((part) => {
          const foreign = part.closest("foreignObject");
          return foreign === null || part.parentNode === foreign || !svg.contains(foreign);
        });

  page.parentOf = (node) => {
    const slot = (node as Partial<Element>).assignedSlot;
    if (slot) return slot;
    if (node.parentElement) return node.parentElement;
    const root = node.getRootNode();
    // Checked by shape, not by class: a frame's document has classes of its own.
    if ("host" in root) return root.host as Element;
    return (root as Document).defaultView?.frameElement ?? undefined;
  };

  page.contains = (ancestor, node) => {
    for (let at: Node | undefined = node; at; at = page.parentOf(at)) if (at === ancestor) return true;
    return false;
  };

  page.focused = () => {
    let element = document.activeElement ?? undefined;
    for (;;) {
      const inner = element && (page.shadowOf(element) ?? page.frameDocument(element))?.activeElement;
      if (!inner) return element;
      element = inner;
    }
  };

  page.isEditor = (element) => Boolean((element as { editContext?: unknown }).editContext);

  page.isEditable = (element) =>
    (element as Partial<HTMLElement>).isContentEditable === true ||
    page.isEditor(element) ||
    element.localName === "textarea" ||
    element.localName === "select" ||
    (element.localName === "input" &&
      !/^(button|submit|reset|image|checkbox|radio|hidden)$/.test((element as HTMLInputElement).type));
}
