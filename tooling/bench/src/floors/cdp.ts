import { once } from "node:events";
import { WebSocket } from "ws";
import type { Scope } from "../scope";

interface Message {
  id?: number;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
}

/** A minimal client of the Chrome DevTools Protocol: one socket, no checks, and it waits only for answers. */
export interface RawPage {
  send(method: string, params?: object): Promise<Record<string, unknown>>;
  event(method: string): Promise<Record<string, unknown>>;
}

export async function openRawPage(scope: Scope, url: string): Promise<RawPage> {
  const targets = (await (await fetch(`${url}/json/list`)).json()) as {
    type: string;
    webSocketDebuggerUrl: string;
  }[];
  const target = targets.find(({ type }) => type === "page");
  if (!target) throw new Error("The browser has no page.");
  const socket = new WebSocket(target.webSocketDebuggerUrl, { perMessageDeflate: false });
  scope.defer(() => socket.terminate());
  await once(socket, "open");
  const waiting = new Map<number | string, (value: Record<string, unknown>) => void>();
  let last = 0;
  socket.on("message", (data) => {
    const message = JSON.parse(String(data)) as Message;
    const key = message.id ?? message.method ?? "";
    waiting.get(key)?.(message.result ?? message.params ?? {});
    waiting.delete(key);
  });
  const page: RawPage = {
    send: (method, params = {}) =>
      new Promise((resolve) => {
        waiting.set(++last, resolve);
        socket.send(JSON.stringify({ id: last, method, params }));
      }),
    event: (method) => new Promise((resolve) => waiting.set(method, resolve)),
  };
  await page.send("Page.enable");
  await page.send("Runtime.enable");
  return page;
}
