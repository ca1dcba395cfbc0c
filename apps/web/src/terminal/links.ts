import { safeHref } from "../ui/safeHref";

/** Where a link of a program's output leads; undefined unless it is http(s) and was clicked with Ctrl or ⌘. */
export const linkOf = (
  event: Pick<MouseEvent, "ctrlKey" | "metaKey">,
  address: string,
): string | undefined => (event.ctrlKey || event.metaKey ? safeHref(address) : undefined);
