import type { McpServer } from "../mcp";
import type { Driver } from "./operations";
import { TEXT } from "./page";

export function groveDriver(server: McpServer, url: string): Driver {
  const call = async (name: string, args = {}) => (await server.call(name, args)).bytes;
  let known: string | undefined;
  return {
    "find and click": () => call("click", { text: "Edit 40" }),
    async "click, known"() {
      known ??= /(\d*e\d+) button "Edit 50"/.exec(
        (await server.call("inspect_dom", { text: "Edit 50" })).text,
      )?.[1];
      return call("click", { ref: known });
    },
    "type 20 characters": () => call("type_text", { selector: "#field", text: TEXT, clearFirst: true }),
    "key combination": () => call("send_keys", { keys: ["Control+k"] }),
    "evaluate 1 + 1": () => call("evaluate_js", { code: "1 + 1" }),
    console: () => call("get_console_logs"),
    "snapshot of all": () => call("inspect_dom", { maxElements: 1_000 }),
    screenshot: () => call("take_screenshot"),
    "navigate, loaded": () => call("navigate", { url }),
  };
}
