/** The text in a field of a form. */
export const textOf = (form: FormData, name: string): string => String(form.get(name) ?? "");
