import { type JSONRPCMessage, parseJSONRPCMessage, type Transport } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { createSdkServer } from "../sdk";
import type { ToolServer } from "../server";
import { Tasks } from "./tasks";
import type { Wire } from "./wire";

/**
 * Lets the SDK serve a connection whose first messages have been answered. It gets these as well, to know the era and
 * the client; its own answers to them are dropped.
 * @returns the receiver of all further messages
 */
export function serveWithSdk(
  server: ToolServer,
  wire: Wire,
  answered: readonly JSONRPCMessage[],
): (message: JSONRPCMessage) => void {
  const muted = new Set(answered.flatMap((message) => ("id" in message ? [message.id] : [])));
  const transport: Transport = {
    async start() {},
    async close() {},
    async send(message) {
      if (!("method" in message) && muted.delete(message.id)) return;
      await wire.send(message);
    },
  };
  const onerror = ({ message }: Error) => server.log.warn("protocol error", { error: message });
  const tasks = new Tasks();
  const isAnnounced = answered.some(isInitialized);
  const create = ({ era }: { era: string }) =>
    createSdkServer(server, era === "modern" ? { tasks } : { isAnnounced });
  serveStdio(create, {
    transport,
    onerror,
  });
  const deliver = (message: JSONRPCMessage) => {
    try {
      transport.onmessage?.(parseJSONRPCMessage(message));
    } catch (error) {
      onerror(error as Error);
    }
  };
  for (const message of answered) deliver(message);
  return deliver;
}

const isInitialized = (message: JSONRPCMessage) =>
  "method" in message && message.method === "notifications/initialized";
