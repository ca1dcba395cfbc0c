import type { InPage } from "./script";

/** An element's states, and whether it can be used. */
export interface States {
  /** `checked`, `disabled`, `expanded`, … */
  statesOf(element: Element): string[];
  isDisabled(element: Element): boolean;
  isInteractive(element: Element): boolean;
  isLink(element: Element): boolean;
}

export function installStates(page: InPage): void {
  const interactiveRoles =
    /^(button|link|checkbox|radio|switch|tab|menuitem|menuitemcheckbox|menuitemradio|option|treeitem|textbox|searchbox|combobox|listbox|slider|spinbutton|gridcell)$/;
  const mayBeUsed =
    "button, input, select, textarea, summary, option, a, area, [role], [contenteditable], [onclick], [tabindex], [draggable=true], [ondrop], [ondragover], [onpointerdown], [onmousedown]";

  const handlers = ["onclick", "ondrop", "ondragover", "onpointerdown", "onmousedown"];

  page.isLink = (element: Element) => element.hasAttribute("href") || element.hasAttribute("xlink:href");

  page.isDisabled = (element) => {
    if (element.matches(":disabled")) return true;
    for (let at: Element | undefined = element; at; at = page.parentOf(at))
      if (
        at.getAttribute("aria-disabled") === "true" ||
        at.hasAttribute("inert") ||
        (at.localName === "button" && at.matches(":disabled"))
      )
        return true;
    return false;
  };

  page.isInteractive = (element) => {
    // This single query answers most of the questions for most elements.
    if (element.matches(mayBeUsed)) {
      const tag = page.tagOf(element);
      if (/^(button|input|select|textarea|summary|option)$/.test(tag)) return true;
      const role = element.getAttribute("role");
      if (role ? interactiveRoles.test(role) : /^(a|area)$/.test(tag) && page.isLink(element)) return true;
      const html = element as HTMLElement;
      if (
        page.isEditor(element) ||
        html.contentEditable === "true" ||
        html.contentEditable === "plaintext-only"
      )
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
    const parent = page.parentOf(element);
    return page.tagOf(element) !== "label" && (!parent || getComputedStyle(parent).cursor !== "pointer");
  };

  page.statesOf = (element) => {
    const states: string[] = [];
    const input = element as Partial<HTMLInputElement>;
    if (input.type === "checkbox" || input.type === "radio") {
      if (input.indeterminate) states.push("mixed");
      else states.push(input.checked ? "checked" : "unchecked");
    }
    for (const name of ["checked", "pressed"] as const) {
      const value = element.getAttribute(`aria-${name}`);
      if (value) states.push({ true: name, false: `un${name}` }[value] ?? value);
    }
    const expanded = element.getAttribute("aria-expanded");
    const owner = element.localName === "summary" ? element.parentElement : undefined;
    if (expanded || owner)
      states.push(expanded === "true" || owner?.hasAttribute("open") ? "expanded" : "collapsed");
    for (const name of ["selected", "current", "busy"] as const) {
      const value = element.getAttribute(`aria-${name}`);
      if (value && value !== "false") states.push(name);
    }
    if (element.getAttribute("draggable") === "true") states.push("draggable");
    if (page.isDisabled(element)) states.push("disabled");
    if (input.readOnly) states.push("readonly");
    if (input.required) states.push("required");
    if (element.getAttribute("aria-invalid") === "true") states.push("invalid");
    if (page.focused() === element && element.localName !== "body") states.push("focused");
    return states;
  };
}
