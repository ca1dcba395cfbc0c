import { isDisabled } from "../dom/controls";
import { focusedElement } from "../dom/tree";

/** `checked`, `disabled`, `expanded`, … */
export const statesOf = (element: Element): string[] => {
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
  if (isDisabled(element)) states.push("disabled");
  if (input.readOnly) states.push("readonly");
  if (input.required) states.push("required");
  if (element.getAttribute("aria-invalid") === "true") states.push("invalid");
  if (focusedElement() === element && element.localName !== "body") states.push("focused");
  return states;
};
