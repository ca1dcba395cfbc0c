import type { Tool } from "@grove/mcp";
import type { Desktop } from "../desktop";
import { click } from "./click";
import { drag } from "./drag";
import { evaluateJs } from "./evaluate_js";
import { getConsoleLogs } from "./get_console_logs";
import { getWindowInfo } from "./get_window_info";
import { inspectDom } from "./inspect_dom";
import { navigate } from "./navigate";
import { scroll } from "./scroll";
import { sendKeys } from "./send_keys";
import { takeScreenshot, viewScreenshot } from "./take_screenshot";
import { typeText } from "./type_text";

/**
 * The name and version that this server reports, as the contract requires (`desktop.version`). `--version` is the
 * package's.
 */
export const NAME = "desktop-automation";
export const VERSION = "0.1.0";

export const tools: readonly Tool<Desktop>[] = [
  takeScreenshot,
  inspectDom,
  click,
  typeText,
  sendKeys,
  drag,
  scroll,
  getConsoleLogs,
  evaluateJs,
  navigate,
  getWindowInfo,
];

/** The tools of a server that must change nothing. */
export const readOnlyTools: readonly Tool<Desktop>[] = tools
  .map((tool) => (tool === takeScreenshot ? viewScreenshot : tool))
  .filter(({ annotations }) => annotations.readOnlyHint);
