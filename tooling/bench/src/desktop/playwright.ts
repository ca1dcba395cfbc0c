import type { McpServer } from "../mcp";
import type { Driver } from "./operations";
import { TEXT } from "./page";

/** @playwright/mcp: it finds the target in a snapshot first. */
export function playwrightDriver(server: McpServer, url: string): Driver {
  const call = async (name: string, args = {}) => (await server.call(name, args)).bytes;
  const find = async (pattern: RegExp) => {
    const { text, bytes } = await server.call("browser_snapshot");
    return { target: pattern.exec(text)?.[1], bytes };
  };
  let known: string | undefined;
  let field: string | undefined;
  return {
    async "find and click"() {
      const { target, bytes } = await find(/"Edit 40".*? \[ref=(\w+)\]/);
      return bytes + (await call("browser_click", { target }));
    },
    async "click, known"() {
      known ??= (await find(/"Edit 50".*? \[ref=(\w+)\]/)).target;
      return call("browser_click", { target: known });
    },
    async "type 20 characters"() {
      field ??= (await find(/textbox.*? \[ref=(\w+)\]/)).target;
      return call("browser_type", { target: field, text: TEXT });
    },
    "key combination": () => call("browser_press_key", { key: "Control+k" }),
    "evaluate 1 + 1": () => call("browser_evaluate", { function: "() => 1 + 1" }),
    console: () => call("browser_console_messages", { level: "debug" }),
    "snapshot of all": () => call("browser_snapshot"),
    screenshot: () => call("browser_take_screenshot"),
    "navigate, loaded": () => call("browser_navigate", { url }),
  };
}
