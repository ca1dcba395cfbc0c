import type { IParser } from "@xterm/xterm";
import { safeHref } from "../../ui/safeHref";

/** OSC 8: `parameters;address` begins a link, and an empty address ends it. */
const HYPERLINK = 8;

/** Shows links of programs (OSC 8) as plain text if their address would not open, such as `file:` and `javascript:`. */
export function suppressDeadLinks(parser: IParser): void {
  let isOpen = false;
  parser.registerOscHandler(HYPERLINK, (data) => {
    const address = data.slice(data.indexOf(";") + 1);
    // Within an open link, xterm.js must receive the next one, or its text would become part of the open link.
    const isShown = address === "" || isOpen || safeHref(address) !== undefined;
    if (isShown) isOpen = address !== "";
    return !isShown;
  });
}
