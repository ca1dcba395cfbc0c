const fields = new Set<HTMLInputElement | HTMLTextAreaElement>();

/** Filters stand in the address, and a terminal has sent its text already. */
const isForm = (target: EventTarget | null): target is HTMLInputElement | HTMLTextAreaElement =>
  (target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement) &&
  target.type !== "search" &&
  target.closest("[data-terminal]") === null;

document.addEventListener("input", ({ target }) => {
  for (const field of fields) if (!field.isConnected) fields.delete(field);
  if (isForm(target)) fields.add(target);
});

/** Whether a form on the page has a text that a person has typed, and that would be lost with the page. */
export const hasUnsavedForms = (): boolean =>
  [...fields].some((field) => field.isConnected && field.value !== "");
