import { tagOf } from "../dom/tree";
import { roleOf } from "./roles";
import { textOf } from "./text";

/** Undefined for an element without a value. Never a password. */
export const shownValueOf = (element: Element): string | undefined => {
  const tag = tagOf(element);
  if (tag === "select")
    return [...(element as HTMLSelectElement).selectedOptions].map((option) => option.label).join(", ");
  if (tag === "textarea") return (element as HTMLTextAreaElement).value;
  if (tag === "progress" || tag === "meter") return String((element as HTMLProgressElement).value);
  if (tag === "input") {
    const input = element as HTMLInputElement;
    if (input.type === "password")
      return input.value === "" ? "" : `(${input.value.length} hidden characters)`;
    if (input.type === "file") return [...(input.files ?? [])].map((file) => file.name).join(", ");
    return /^(button|submit|reset|image|checkbox|radio)$/.test(input.type) ? undefined : input.value;
  }
  const { editContext } = element as { editContext?: { text: string } };
  if (editContext) return editContext.text;
  const role = roleOf(element);
  if (role === "textbox" || role === "searchbox") return textOf(element);
  if ((element as HTMLElement).contentEditable === "true") return textOf(element);
  return element.getAttribute("aria-valuetext") ?? element.getAttribute("aria-valuenow") ?? undefined;
};
