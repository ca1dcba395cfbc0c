import type { InPage } from "./script";

interface Kind {
  readonly isSkipped: boolean;
  /** Its text is one line; elements in it have no line of their own unless they can be used. */
  readonly absorbs: boolean;
  /** A line without text of its own. */
  readonly isGroup: boolean;
  /** It names the element that contains it. */
  readonly isTitle: boolean;
  readonly isHeading: boolean;
  readonly isIcon: boolean;
  /** Only a picture shows what is in it. */
  readonly isDrawn: boolean;
  /** Nothing in it is listed. */
  readonly isClosed: boolean;
}

/** The lines of a snapshot. */
export interface Lines {
  /** The properties that a tag alone determines. */
  kindOf(tag: string): Kind;
  /** The line without the place; it gives the element a ref. */
  lineOf(element: Element, name: string, isControl: boolean): string;
  /** The line of text that is only read, which needs no ref and no place. */
  plainLine(tag: string, text: string): string;
}

export function installLines(page: InPage): void {
  /** Lines that begin like this need no "clickable": their first word already implies it. */
  const interactive = /^(button|a|area|input|select|textarea|summary)\b|:/;

  const read = (tag: string): Kind => ({
    isSkipped: /^(script|style|noscript|template|head|meta|link|option|optgroup)$/.test(tag),
    absorbs: /^(button|a|label|h[1-6]|p|option|summary|th|td|dt|dd|figcaption|pre|text)$/.test(tag),
    isGroup:
      /^(nav|main|form|dialog|table|ul|ol|fieldset|section|aside|header|footer|iframe|menu|details)$/.test(
        tag,
      ),
    isTitle: /^(legend|caption)$/.test(tag),
    isHeading: /^h[1-6]$/.test(tag),
    isIcon: /^(img|svg|canvas|video|audio|embed|object)$/.test(tag),
    isDrawn: /^(canvas|video|audio|embed|object)$/.test(tag),
    isClosed: /^(select|textarea)$/.test(tag),
  });
  /** Cached, because on a large page these patterns would take longer than the rest. */
  const kinds = new Map<string, Kind>();

  page.kindOf = (tag) => {
    const known = kinds.get(tag);
    if (known) return known;
    const kind = read(tag);
    kinds.set(tag, kind);
    return kind;
  };

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

  const optionsOf = ({ options }: HTMLSelectElement) => {
    const shown = [...options].slice(0, 10).map((option) => JSON.stringify(page.cut(option.label, 40)));
    return `of ${shown.join(", ")}${options.length > 10 ? ` … ${options.length - 10} more` : ""}`;
  };

  /** A selector that distinguishes a field without a name. */
  const unnamed = (element: Element) => {
    if (!/^(input|select|textarea)$/.test(element.localName)) return undefined;
    const attribute = ["id", "name"].find((candidate) => element.getAttribute(candidate));
    return (
      attribute && `[${attribute}=${JSON.stringify(page.cut(element.getAttribute(attribute) ?? "", 60))}]`
    );
  };

  page.lineOf = (element, name, isControl) => {
    const head = headOf(element);
    const parts = [page.refOf(element), head];
    if (name) parts.push(JSON.stringify(page.cut(name, 100)));
    const value = page.valueOf(element);
    if (value && value !== name) parts.push(`=${JSON.stringify(page.cut(value, 60))}`);
    if (element.localName === "select") parts.push(optionsOf(element as HTMLSelectElement));
    const attribute = name ? undefined : unnamed(element);
    if (attribute) parts.push(attribute);
    const states = page.statesOf(element);
    if (isControl && !interactive.test(head)) states.unshift("clickable");
    if (states.length > 0) parts.push(`(${states.join(" ")})`);
    const testId = element.getAttribute("data-testid");
    if (testId) parts.push(`#${page.cut(testId, 60)}`);
    return parts.join(" ");
  };

  // Includes the tag if it shows how the text belongs together.
  page.plainLine = (tag, text) =>
    `${/^(li|tr|td|th|dt|dd|pre|figcaption)$/.test(tag) ? `${tag} ` : ""}${JSON.stringify(page.cut(text, 100))}`;
}
