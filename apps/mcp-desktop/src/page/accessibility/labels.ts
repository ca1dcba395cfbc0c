import { isVisible } from "../geometry/visibility";

/** The label that shows a hidden native control. */
export const labelOf = (element: Element): Element | undefined => {
  const labels = (element as Partial<HTMLInputElement>).labels;
  return labels ? [...labels].find((label) => isVisible(label)) : undefined;
};
