import { byRef, wasRef } from "../dom/refs";
import { frameDocument, shadowOf } from "../dom/tree";
import { byText } from "./byText";

/** The locators of an element. If several are given, all must match the same element. */
export interface Query {
  readonly ref?: string | undefined;
  readonly selector?: string | undefined;
  readonly testId?: string | undefined;
  readonly text?: string | undefined;
  readonly fuzzy?: boolean | undefined;
}

/** A query that can never be answered. */
export interface Refusal {
  readonly code: "invalid_selector" | "stale_ref" | "not_a_ref";
  readonly message: string;
}

const roots = (): (Document | ShadowRoot)[] => {
  const found: (Document | ShadowRoot)[] = [document];
  for (const root of found)
    for (const element of root.querySelectorAll("*")) {
      const inner = shadowOf(element) ?? frameDocument(element);
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

/** Visible matches, the best first. */
export const find = ({ ref, selector, testId, text, fuzzy = true }: Query): Element[] | Refusal => {
  let found: Element[] | undefined;
  if (ref !== undefined) {
    const element = byRef(ref);
    if (!element) {
      const code = wasRef(ref) ? "stale_ref" : "not_a_ref";
      return { code, message: `${JSON.stringify(ref)} is not an element of the current page` };
    }
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
