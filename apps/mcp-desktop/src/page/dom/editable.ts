/**
 * Whether a script takes the text typed into the element (https://w3c.github.io/edit-context/), so that it is not in
 * the DOM.
 */
export const isEditor = (element: Element): boolean =>
  Boolean((element as { editContext?: unknown }).editContext);

export const isEditable = (element: Element): boolean =>
  (element as Partial<HTMLElement>).isContentEditable === true ||
  isEditor(element) ||
  element.localName === "textarea" ||
  element.localName === "select" ||
  (element.localName === "input" &&
    !/^(button|submit|reset|image|checkbox|radio|hidden)$/.test((element as HTMLInputElement).type));

/** Whether the element is an input or a textarea, which hold their text themselves. */
export const isInput = (element: Element): boolean => /^(input|textarea)$/.test(element.localName);

/** Whether the element passes keys on to a terminal, which shows the text elsewhere. */
export const isTerminal = (element: Element): boolean => element.matches(".xterm-helper-textarea");

/** Whether the element is a hidden textarea that only catches the keys of an editor, which draws its text elsewhere. */
export const isKeyCatcher = (element: Element): boolean => {
  // A terminal would pass on the keys that move an editor's selection.
  if (element.localName !== "textarea" || isTerminal(element)) return false;
  const { width, height } = element.getBoundingClientRect();
  const around = element.parentElement?.getBoundingClientRect();
  return Math.min(width, height, around?.height ?? height) <= 2 || getComputedStyle(element).opacity === "0";
};

/** Whether the element takes a value that is set by script, for which the pointer need not reach it. */
export const isSet = (element: Element): boolean =>
  element.localName === "input" &&
  /^(date|time|month|week|datetime-local|color|range)$/.test((element as HTMLInputElement).type);
