import type { InPage } from "./script";

interface SnapshotOptions {
  /** Its first visible match is the root. */
  readonly selector?: string | undefined;
  readonly interactiveOnly: boolean;
  readonly text?: string | undefined;
  readonly maxDepth?: number | undefined;
  readonly maxElements: number;
  /** Where the document begins in the window, if it is a frame's. */
  readonly origin: { readonly x: number; readonly y: number };
}

export interface Snapshot {
  readonly title: string;
  readonly url: string;
  /** One line an element, indented by its depth. */
  readonly lines: string[];
  /** Elements that there are to show, and those that were left out. */
  readonly total: number;
  readonly left: number;
  readonly refused?: string;
}

export interface Snapshots {
  snapshot(options: SnapshotOptions): Snapshot;
}

export function installSnapshot(page: InPage): void {
  /** Their text is one line, and what is in it is not listed by itself, unless it can be used. */
  const absorbs = /^(button|a|label|h[1-6]|p|option|summary|th|td|dt|dd|figcaption|pre)$/;
  /** What the first word of a line says already: it can be used. */
  const interactive = /^(button|a|input|select|textarea|summary)\b|:/;
  /** They are lines without text of their own. */
  const groups =
    /^(nav|main|form|dialog|table|ul|ol|fieldset|section|aside|header|footer|iframe|menu|details)$/;

  interface Entry {
    readonly element: Element;
    readonly depth: number;
    /** Made only of what is shown: it gives the element a ref. */
    readonly line: () => string;
    readonly isGroup: boolean;
    readonly inView: boolean;
  }

  const isIconOnly = (element: Element) => /^(img|svg|canvas|video|audio)$/.test(element.localName);

  const headOf = (element: Element) => {
    const tag = page.tagOf(element);
    const explicit = element.getAttribute("role") ?? undefined;
    const native = page.roleOf(element);
    const role =
      explicit ?? (tag === "input" || native === "textbox" || native === "listbox" ? native : undefined);
    const type = tag === "input" ? (element as HTMLInputElement).type : "";
    const kind = type === "" || type === "text" || type === role ? "" : `[${type}]`;
    return `${tag}${kind}${role && role !== tag && tag !== "textarea" && !(kind && role === "textbox") ? `:${role}` : ""}`;
  };

  const lineOf = (
    element: Element,
    name: string,
    box: { x: number; y: number; width: number; height: number },
    isControl: boolean,
    isGroup: boolean,
  ) => {
    const head = headOf(element);
    const parts = [page.refOf(element), head];
    if (name) parts.push(JSON.stringify(page.cut(name, 100)));
    const value = page.valueOf(element);
    if (value && value !== name) parts.push(`=${JSON.stringify(page.cut(value, 60))}`);
    const states = page.statesOf(element);
    if (isControl && !interactive.test(head)) states.unshift("clickable");
    if (states.length > 0) parts.push(`(${states.join(" ")})`);
    const testId = element.getAttribute("data-testid");
    if (testId) parts.push(`#${page.cut(testId, 60)}`);
    if (isControl || !isGroup) {
      const [x, y, width, height] = [box.x, box.y, box.width, box.height].map(Math.round);
      parts.push(`${x},${y} ${width}x${height}`);
    }
    return parts.join(" ");
  };

  /** Text that is only read needs no ref and no place. Its tag is told where it says how it belongs together. */
  const plainLine = (tag: string, text: string) =>
    `${/^(li|tr|td|th|dt|dd|pre|figcaption)$/.test(tag) ? `${tag} ` : ""}${JSON.stringify(page.cut(text, 100))}`;

  const collect = (root: Element, options: SnapshotOptions): Entry[] => {
    const entries: Entry[] = [];
    const wanted = options.text === undefined ? undefined : page.fold(options.text);

    const visit = (element: Element, depth: number, absorbed: boolean): void => {
      if (/^(script|style|noscript|template|head|meta|link|option|optgroup)$/.test(element.localName)) return;
      const gone = page.isGone(element);
      const stand = element.localName === "input" ? page.labelOf(element) : undefined;
      if (gone && !stand) return;
      const rect = gone && stand ? page.boxOf(stand) : page.boxOf(element);
      const box = { ...rect, x: rect.x + options.origin.x, y: rect.y + options.origin.y };
      const shown =
        (gone && stand !== undefined) || (page.isVisible(element) && box.width > 0 && box.height > 0);
      const tag = element.localName;
      const interactive = shown && page.isInteractive(element);
      const own =
        shown &&
        !absorbed &&
        !/^(legend|caption)$/.test(tag) &&
        (absorbs.test(tag) ? saysMore(element) : page.ownText(element).trim() !== "");
      const isRow = tag === "tr";
      const labelled =
        shown &&
        !interactive &&
        (element.hasAttribute("data-testid") ||
          element.hasAttribute("role") ||
          element.hasAttribute("aria-label") ||
          isIconOnly(element));
      const isGroup = shown && !interactive && !own && groups.test(tag) && (tag !== "section" || labelled);
      let name = "";
      if (interactive || labelled || isGroup) name = page.nameOf(element);
      const takesText = interactive || own;
      if (!name && takesText && !page.isEditable(element)) name = page.textOf(element);
      if (isRow && !absorbed)
        name = page
          .childrenOf(element)
          .filter((cell) => cell.nodeType === 1 && saysMore(cell as Element))
          .map((cell) => page.cut(page.textOf(cell as Element), 60))
          .filter((cell) => cell !== "")
          .join(" | ");
      const listed =
        interactive ||
        (!options.interactiveOnly &&
          (((own || isRow) && name.trim() !== "") ||
            (labelled &&
              (name.trim() !== "" || element.hasAttribute("data-testid") || element.hasAttribute("role"))) ||
            isGroup));
      // A label beside its control says what the control's line says.
      const control = tag === "label" ? (element as HTMLLabelElement).control : null;
      const fits =
        wanted === undefined || page.fold(`${name} ${page.valueOf(element) ?? ""}`).includes(wanted);
      const isSaid = listed && !(control && !element.hasAttribute("data-testid"));
      if (isSaid && fits) {
        const inView =
          box.x < innerWidth && box.y < innerHeight && box.x + box.width > 0 && box.y + box.height > 0;
        const isPlain = !interactive && !labelled && (own || isRow) && !/^h[1-6]$/.test(tag);
        const line = () =>
          isPlain ? plainLine(tag, name) : lineOf(element, name, box, interactive, isGroup);
        entries.push({ element, depth, line, isGroup, inView });
      }
      if (tag === "svg" || tag === "select" || tag === "textarea") return;
      const deeper = isSaid ? depth + 1 : depth;
      if (options.maxDepth !== undefined && deeper > options.maxDepth) return;
      // Text that is already in the line of an ancestor is not said again; blocks in a block are lines of their own.
      const covers = interactive || isRow || (own && (absorbs.test(tag) || !hasBlocks(element)));
      for (const child of page.childrenOf(element))
        if (child.nodeType === 1) visit(child as Element, deeper, absorbed || (covers && listed));
    };
    visit(root, 0, false);
    return entries;
  };

  /** Whether it has text of its own beside that of the controls in it. */
  const saysMore = (element: Element): boolean =>
    page.isLeaf(element)
      ? (element.textContent ?? "").trim() !== ""
      : page
          .childrenOf(element)
          .some((child) =>
            child.nodeType === 3
              ? (child.nodeValue ?? "").trim() !== ""
              : child.nodeType === 1 && !page.isInteractive(child as Element) && saysMore(child as Element),
          );

  const hasBlocks = (element: Element): boolean =>
    [...element.children].some((child) => !/^(inline|none|contents)/.test(getComputedStyle(child).display));

  /** A group with nothing in it that is shown says nothing. */
  const withoutEmptyGroups = (entries: Entry[]): Entry[] => {
    const kept: Entry[] = [];
    let below = -1;
    for (const entry of entries.toReversed()) {
      if (!entry.isGroup || below > entry.depth || entry.element.localName === "iframe") {
        kept.push(entry);
        below = entry.depth;
      }
    }
    return kept.toReversed();
  };

  page.snapshot = (options) => {
    const facts = { title: page.cut(document.title, 100), url: location.href };
    let root: Element | null | undefined = document.body ?? document.documentElement;
    if (options.selector !== undefined) {
      const found = page.find({ selector: options.selector });
      if (!Array.isArray(found)) return { ...facts, lines: [], total: 0, left: 0, refused: found.message };
      root = found.find(page.isVisible) ?? found[0];
    }
    if (!root) return { ...facts, lines: [], total: 0, left: 0 };
    const entries = withoutEmptyGroups(collect(root, options));
    // Where not all of it fits, what is in view comes first, then what follows it.
    const firstInView = entries.findIndex(({ inView, isGroup }) => inView && !isGroup);
    const isNear = (entry: Entry, index: number) => (entry.inView ? 0 : index > firstInView ? 1 : 2);
    const nearest = entries
      .map((entry, index) => ({ entry, near: isNear(entry, index) }))
      .sort((one, other) => one.near - other.near);
    const isKept = new Set(nearest.slice(0, options.maxElements).map(({ entry }) => entry));
    const lines: string[] = [];
    let skipped = 0;
    for (const entry of entries) {
      if (!isKept.has(entry)) {
        skipped++;
        continue;
      }
      if (skipped > 0) lines.push(`… ${skipped} more`);
      skipped = 0;
      lines.push(" ".repeat(Math.min(entry.depth, 12)) + entry.line());
    }
    if (skipped > 0) lines.push(`… ${skipped} more`);
    return { ...facts, lines, total: entries.length, left: entries.length - isKept.size };
  };
}
