import { isEditor } from "./editable";
import { parentOf, tagOf } from "./tree";

const interactiveRoles =
  /^(button|link|checkbox|radio|switch|tab|menuitem|menuitemcheckbox|menuitemradio|option|treeitem|textbox|searchbox|combobox|listbox|slider|spinbutton|gridcell)$/;

const mayBeUsed =
  "button, input, select, textarea, summary, option, a, area, [role], [contenteditable], [onclick], [tabindex], [draggable=true], [ondrop], [ondragover], [onpointerdown], [onmousedown]";

const handlers = ["onclick", "ondrop", "ondragover", "onpointerdown", "onmousedown"];

export const isLink = (element: Element): boolean =>
  element.hasAttribute("href") || element.hasAttribute("xlink:href");

export const isDisabled = (element: Element): boolean => {
  if (element.matches(":disabled")) return true;
  for (let at: Element | undefined = element; at; at = parentOf(at))
    if (
      at.getAttribute("aria-disabled") === "true" ||
      at.hasAttribute("inert") ||
      (at.localName === "button" && at.matches(":disabled"))
    )
      return true;
  return false;
};

export const isInteractive = (element: Element): boolean => {
  // This single query answers most of the questions for most elements.
  if (element.matches(mayBeUsed)) {
    const tag = tagOf(element);
    if (/^(button|input|select|textarea|summary|option)$/.test(tag)) return true;
    const role = element.getAttribute("role");
    if (role ? interactiveRoles.test(role) : /^(a|area)$/.test(tag) && isLink(element)) return true;
    const html = element as HTMLElement;
    if (isEditor(element) || html.contentEditable === "true" || html.contentEditable === "plaintext-only")
      return true;
    if (
      handlers.some((handler) => element.hasAttribute(handler)) ||
      element.getAttribute("draggable") === "true"
    )
      return true;
    // A frame's body may be focusable, and so may an element that only scrolls.
    if (element.hasAttribute("tabindex") && html.tabIndex >= 0 && tag !== "body") return true;
  }
  const cursor = getComputedStyle(element).cursor;
  if (cursor !== "pointer") return false;
  const parent = parentOf(element);
  return tagOf(element) !== "label" && (!parent || getComputedStyle(parent).cursor !== "pointer");
};
