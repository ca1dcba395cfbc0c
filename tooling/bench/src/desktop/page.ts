import { once } from "node:events";
import { createServer } from "node:http";
import type { RawPage } from "../floors/cdp";
import type { Scope } from "../scope";

export const TEXT = "twenty characters ok";

/** 661 elements. The page counts what is done to it. */
const html = `<!doctype html><title>Bench</title><style>li { display: inline-block; width: 150px }</style>
<input id=field><ul>${Array.from({ length: 219 }, (_, index) => `<li><span>Row ${index}</span> <button>Edit ${index}</button></li>`).join("")}</ul>
<script>
  window.clicks = window.keys = 0;
  addEventListener("click", () => clicks++);
  addEventListener("keydown", (event) => { if (event.ctrlKey && event.key === "k") keys++; });
  console.log("one line");
</script>`;

/** The effects that the page reports. */
export interface Effects {
  clicks: number;
  keys: number;
  text: string;
  /** Whether the page is a new document. */
  isNew: boolean;
}

export async function servePage(scope: Scope): Promise<string> {
  const server = createServer((_request, response) => {
    response.setHeader("content-type", "text/html");
    response.end(html);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  scope.defer(() => server.closeAllConnections());
  scope.defer(() => server.close());
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("no port");
  return `http://127.0.0.1:${address.port}/`;
}

export async function evaluated(page: RawPage, expression: string): Promise<unknown> {
  const { result } = await page.send("Runtime.evaluate", { expression, returnByValue: true });
  return (result as { value: unknown }).value;
}

export const forgetEffects = (page: RawPage) =>
  evaluated(page, 'clicks = keys = 0; field.value = ""; window.isOld = true');

export const effectsOn = (page: RawPage) =>
  evaluated(page, "({ clicks, keys, text: field.value, isNew: !window.isOld })") as Promise<Effects>;
