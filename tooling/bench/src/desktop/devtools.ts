import type { McpServer } from "../mcp";
import type { Driver } from "./operations";
import { TEXT } from "./page";

/** chrome-devtools-mcp: it finds the target in a snapshot first, and every call names the page. */
export function devtoolsDriver(server: McpServer, url: string): Driver {
  const onPage = { pageId: 1 };
  const call = async (name: string, args = {}) => (await server.call(name, { ...onPage, ...args })).bytes;
  const find = async (pattern: RegExp) => {
    const { text, bytes } = await server.call("take_snapshot", onPage);
    return { uid: pattern.exec(text)?.[1], bytes };
  };
  let knownUid: string | undefined;
  let field: string | undefined;
  return {
    async "find and click"() {
      const { uid, bytes } = await find(/uid=(\w+) button "Edit 40"/);
      return bytes + (await call("click", { uid }));
    },
    async "click, known"() {
      knownUid ??= (await find(/uid=(\w+) button "Edit 50"/)).uid;
      return call("click", { uid: knownUid });
    },
    async "type 20 characters"() {
      field ??= (await find(/uid=(\w+) textbox/)).uid;
      return call("fill", { uid: field, value: TEXT });
    },
    "key combination": () => call("press_key", { key: "Control+k" }),
    "evaluate 1 + 1": () => call("evaluate_script", { function: "() => 1 + 1" }),
    console: () => call("list_console_messages"),
    "snapshot of all": () => call("take_snapshot"),
    screenshot: () => call("take_screenshot"),
    "navigate, loaded": () => call("navigate_page", { type: "url", url }),
  };
}
