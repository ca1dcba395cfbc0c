import { isLink } from "../dom/controls";
import { isEditor } from "../dom/editable";
import { tagOf } from "../dom/tree";

const roles: Record<string, string> = {
  button: "button",
  select: "combobox",
  textarea: "textbox",
  img: "img",
  svg: "img",
  nav: "navigation",
  option: "option",
  summary: "button",
  dialog: "dialog",
  progress: "progressbar",
  meter: "meter",
  output: "status",
};

const inputRoles: Record<string, string> = {
  button: "button",
  submit: "button",
  reset: "button",
  image: "button",
  checkbox: "checkbox",
  radio: "radio",
  range: "slider",
  number: "spinbutton",
  search: "searchbox",
};

/** The explicit ARIA role, otherwise the native one; undefined if it has none. */
export const roleOf = (element: Element): string | undefined => {
  const explicit = element.getAttribute("role")?.trim().split(/\s+/)[0];
  if (explicit) return explicit;
  const tag = tagOf(element);
  if (tag === "a" || tag === "area") return isLink(element) ? "link" : undefined;
  if (/^h[1-6]$/.test(tag)) return "heading";
  if (tag === "input") return inputRoles[(element as HTMLInputElement).type] ?? "textbox";
  if (isEditor(element)) return "textbox";
  if (tag === "select" && (element as HTMLSelectElement).multiple) return "listbox";
  if (/^(true|plaintext-only)$/.test((element as HTMLElement).contentEditable)) return "textbox";
  return roles[tag];
};
