export const isLaidOut = (element: Element) =>
  // The second is the name of the first before Chromium 121.
  element.checkVisibility({ visibilityProperty: true, checkVisibilityCSS: true });

export const styleOf = (element: Element) => getComputedStyle(element);

export const hasContentsOnly = (element: Element) => styleOf(element).display === "contents";

/** Whether a click goes to what is behind it. */
export const ignoresPointer = (element: Element) => styleOf(element).pointerEvents === "none";

export const hasSize = ({ width, height }: DOMRect) => width > 0 && height > 0;
