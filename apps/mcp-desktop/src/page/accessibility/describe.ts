import { refOf } from "../dom/refs";
import { tagOf } from "../dom/tree";
import { firstCharacters } from "../firstCharacters";
import { nameOf } from "./names";
import { textOf } from "./text";

/** `<button> "Save" [e3]` */
export const describe = (element: Element): string => {
  const name = firstCharacters(nameOf(element) || textOf(element), 60);
  return `<${tagOf(element)}>${name ? ` ${JSON.stringify(name)}` : ""} [${refOf(element)}]`;
};
