import { isInteractive } from "../dom/controls";
import { tagOf } from "../dom/tree";
import { roleOf } from "./roles";
import { textOf } from "./text";

const namedByContent =
  /^(button|link|checkbox|radio|switch|tab|menuitem|menuitemcheckbox|menuitemradio|option|treeitem|heading|cell|gridcell|tooltip)$/;

/** The elements that an attribute names by their ids. */
export const byIds = (element: Element, attribute: string) => {
  const ids = element.getAttribute(attribute);
  if (!ids) return [];
  const root = element.getRootNode() as Document | ShadowRoot;
  return ids
    .split(/\s+/)
    .map((id) => (id === "" ? null : root.getElementById(id)))
    .filter((found) => found !== null);
};

const nativeName = (element: Element): string => {
  const tag = tagOf(element);
  if (tag === "img" || tag === "area") return element.getAttribute("alt") ?? "";
  if (element.namespaceURI === "http://www.w3.org/2000/svg")
    return element.querySelector(":scope > title")?.textContent ?? "";
  if (tag === "fieldset") return element.querySelector(":scope > legend")?.textContent ?? "";
  if (tag === "table") return element.querySelector(":scope > caption")?.textContent ?? "";
  if (tag === "input" && /^(button|submit|reset)$/.test((element as HTMLInputElement).type))
    return (element as HTMLInputElement).value || (element as HTMLInputElement).type;
  const labels = (element as Partial<HTMLInputElement>).labels;
  return labels ? [...labels].map((label) => textOf(label)).join(" ") : "";
};

/** The name of an element, as a screen reader would announce it (https://www.w3.org/TR/accname-1.2/, simplified). */
export const nameOf = (element: Element): string => {
  const labelled = byIds(element, "aria-labelledby")
    .map((label) => textOf(label) || label.textContent || "")
    .join(" ");
  if (labelled.trim()) return labelled;
  const label = element.getAttribute("aria-label");
  if (label?.trim()) return label;
  const native = nativeName(element);
  if (native.trim()) return native;
  const role = roleOf(element);
  if (role === undefined ? isInteractive(element) : namedByContent.test(role)) {
    const text = textOf(element);
    if (text) return text;
    const picture = element.querySelector("svg > title, img[alt], [aria-label]");
    const pictured =
      picture && (picture.getAttribute("aria-label") ?? nativeName(picture) ?? picture.textContent);
    if (pictured) return pictured;
  }
  return element.getAttribute("title") ?? element.getAttribute("placeholder") ?? "";
};
