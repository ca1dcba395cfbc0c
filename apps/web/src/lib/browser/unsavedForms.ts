const fields = new Set<HTMLInputElement | HTMLTextAreaElement>();

/** Excludes filters, which are in the address, and terminals, which have already sent their text. */
const isForm = (target: EventTarget | null): target is HTMLInputElement | HTMLTextAreaElement =>
  (target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement) &&
  target.type !== "search" &&
  target.closest("[data-terminal]") === null;

document.addEventListener("input", ({ target }) => {
  for (const field of fields) if (!field.isConnected) fields.delete(field);
  if (isForm(target)) fields.add(target);
});

/** Whether a form on the page has text that the user typed and would lose. */
export const hasUnsavedForms = (): boolean =>
  [...fields].some((field) => field.isConnected && field.value !== "");
