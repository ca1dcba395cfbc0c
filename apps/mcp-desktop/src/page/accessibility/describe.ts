import { cut } from "../cut";
import { refOf } from "../dom/refs";
import { tagOf } from "../dom/tree";
import { nameOf } from "./names";
import { textOf } from "./text";

/** `<button> "Save" [e3]` */
export const describe = (element: Element): string => {
  const name = cut(nameOf(element) || textOf(element), 60);
  return `<${tagOf(element)}>${name ? ` ${JSON.stringify(name)}` : ""} [${refOf(element)}]`;
};
