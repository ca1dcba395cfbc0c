import { safeHref } from "../../ui/safeHref";

/** Returns the URL of a clicked link in the output. Undefined unless it is http(s) and Ctrl or ⌘ was held. */
export const linkTarget = (
  event: Pick<MouseEvent, "ctrlKey" | "metaKey">,
  address: string,
): string | undefined => (event.ctrlKey || event.metaKey ? safeHref(address) : undefined);
