import type { InPage } from "./script";

/**
 * An element's name and role, as a screen reader would announce them (https://www.w3.org/TR/accname-1.2/, simplified).
 */
export interface Names {
  /** The explicit ARIA role, otherwise the native one; undefined if it has none. */
  roleOf(element: Element): string | undefined;
  nameOf(element: Element): string;
  /** The visible text in an element, in one line; blocks are separated by a line break. */
  textOf(element: Element): string;
  /** Text directly in the element. */
  ownText(element: Element): string;
  /** The label that shows a hidden native control. */
  labelOf(element: Element): Element | undefined;
}

export function installNames(page: InPage): void {
  const roles: Record<string, string> = {
    button: "button",
    select: "combobox",
    textarea: "textbox",
    img: "img",
    svg: "img",
    nav: "navigation",
    option: "option",
    summary: "button",
    dialog: "dialog",
    progress: "progressbar",
    meter: "meter",
    output: "status",
  };
  const inputRoles: Record<string, string> = {
    button: "button",
    submit: "button",
    reset: "button",
    image: "button",
    checkbox: "checkbox",
    radio: "radio",
    range: "slider",
    number: "spinbutton",
    search: "searchbox",
  };
  const namedByContent =
    /^(button|link|checkbox|radio|switch|tab|menuitem|menuitemcheckbox|menuitemradio|option|treeitem|heading|cell|gridcell|tooltip)$/;
  const inline =
    /^(a|abbr|b|bdi|bdo|cite|code|data|dfn|em|i|kbd|label|mark|q|s|samp|slot|small|span|strong|sub|sup|time|tspan|u|var|button)$/;

  page.roleOf = (element) => {
    const explicit = element.getAttribute("role")?.trim().split(/\s+/)[0];
    if (explicit) return explicit;
    const tag = page.tagOf(element);
    if (tag === "a" || tag === "area") return page.isLink(element) ? "link" : undefined;
    if (/^h[1-6]$/.test(tag)) return "heading";
    if (tag === "input") return inputRoles[(element as HTMLInputElement).type] ?? "textbox";
    if (page.isEditor(element)) return "textbox";
    if (tag === "select" && (element as HTMLSelectElement).multiple) return "listbox";
    if (/^(true|plaintext-only)$/.test((element as HTMLElement).contentEditable)) return "textbox";
    return roles[tag];
  };

  const byIds = (element: Element, attribute: string) => {
    const ids = element.getAttribute(attribute);
    if (!ids) return [];
    const root = element.getRootNode() as Document | ShadowRoot;
    return ids
      .split(/\s+/)
      .map((id) => (id === "" ? null : root.getElementById(id)))
      .filter((found) => found !== null);
  };

  page.labelOf = (element) => {
    const labels = (element as Partial<HTMLInputElement>).labels;
    return labels ? [...labels].find((label) => page.isVisible(label)) : undefined;
  };

  page.ownText = (element) => {
    if (page.isLeaf(element)) return element.textContent ?? "";
    let text = "";
    for (const child of page.childrenOf(element)) if (child.nodeType === 3) text += child.nodeValue;
    return text;
  };

  page.textOf = (element) => {
    if (page.isLeaf(element)) return (element.textContent ?? "").slice(0, 20_000).replace(/\s+/g, " ").trim();
    let text = "";
    const visit = (node: Node, isSeen: boolean): void => {
      if (text.length > 20_000) return;
      if (node.nodeType === 3 && isSeen) text += (node.nodeValue ?? "").replace(/\s+/g, " ");
      if (node.nodeType !== 1) return;
      const child = node as Element;
      if (/^(script|style|noscript|template)$/.test(child.localName)) return;
      const isVisible = page.isVisible(child);
      if (!isVisible && page.isGone(child)) return;
      const shows = isVisible || getComputedStyle(child).visibility === "visible";
      if (child.localName === "br") text += "\n";
      if (child.localName === "img") text += child.getAttribute("alt") ?? "";
      if (child.localName === "textarea" || child.localName === "select") return;
      const isBlock = child !== element && !inline.test(child.localName);
      if (isBlock) text += "\n";
      const label = child === element ? null : child.getAttribute("aria-label");
      if (label) text += shows ? label : "";
      else for (const inner of page.childrenOf(child)) visit(inner, shows);
      if (isBlock) text += "\n";
    };
    visit(element, true);
    return text.replace(/ *\n[ \n]*/g, "\n").trim();
  };

  const nativeName = (element: Element): string => {
    const tag = page.tagOf(element);
    if (tag === "img" || tag === "area") return element.getAttribute("alt") ?? "";
    if (element.namespaceURI === "http://www.w3.org/2000/svg")
      return element.querySelector(":scope > title")?.textContent ?? "";
    if (tag === "fieldset") return element.querySelector(":scope > legend")?.textContent ?? "";
    if (tag === "table") return element.querySelector(":scope > caption")?.textContent ?? "";
    if (tag === "input" && /^(button|submit|reset)$/.test((element as HTMLInputElement).type))
      return (element as HTMLInputElement).value || (element as HTMLInputElement).type;
    const labels = (element as Partial<HTMLInputElement>).labels;
    return labels ? [...labels].map((label) => page.textOf(label)).join(" ") : "";
  };

  page.nameOf = (element) => {
    const labelled = byIds(element, "aria-labelledby")
      .map((label) => page.textOf(label) || label.textContent || "")
      .join(" ");
    if (labelled.trim()) return labelled;
    const label = element.getAttribute("aria-label");
    if (label?.trim()) return label;
    const native = nativeName(element);
    if (native.trim()) return native;
    const role = page.roleOf(element);
    if (role === undefined ? page.isInteractive(element) : namedByContent.test(role)) {
      const text = page.textOf(element);
      if (text) return text;
      const picture = element.querySelector("svg > title, img[alt], [aria-label]");
      const pictured =
        picture && (picture.getAttribute("aria-label") ?? nativeName(picture) ?? picture.textContent);
      if (pictured) return pictured;
    }
    return element.getAttribute("title") ?? element.getAttribute("placeholder") ?? "";
  };
}
