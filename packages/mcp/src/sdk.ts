import { toError } from "@grove/schemas";
import {
  type CallToolResult,
  type JSONRPCMessage,
  ProtocolError,
  ProtocolErrorCode,
  parseJSONRPCMessage,
  Server,
  type ServerContext,
  type Transport,
} from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { UnknownTool } from "./errors";
import type { ToolCall, ToolServer } from "./server";
import { TASKS_EXTENSION } from "./stdio/handshake";
import { knowsTasks, Tasks } from "./stdio/tasks";
import type { Wire } from "./stdio/wire";

/**
 * The SDK's side of a tool server. Only this file, `stdio/tasks.ts` and `http/transports.ts` import the SDK, so that a
 * start does not load it.
 */

/**
 * The SDK's server for one connection, or for one request of the newer era, over HTTP. It offers nothing but tools. It
 * is the SDK's low-level `Server`, because `McpServer` shapes schemas and results itself.
 * @param isAnnounced whether the client has been sent `notifications/initialized`
 * @param tasks the tasks of the connection, if it may have any
 */
export function createSdkServer(
  server: ToolServer,
  { isAnnounced = false, tasks }: { isAnnounced?: boolean; tasks?: Tasks } = {},
): Server {
  const { log } = server;
  const { name, version, instructions, tools: listed } = server.introduction;
  const sdk = new Server(
    { name, version },
    {
      capabilities: { tools: {}, ...(tasks && { extensions: { [TASKS_EXTENSION]: {} } }) },
      instructions,
      // Only elicitation uses it; the SDK's default would build a validator (ajv) at every start.
      jsonSchemaValidator: {
        getValidator: () => () => ({ valid: false, data: undefined, errorMessage: "not used" }),
      },
    },
  );
  // Without our stack trace: the error is the client's mistake.
  sdk.onerror = ({ message }) => log.warn("protocol error", { error: message });

  let announced = isAnnounced;
  sdk.oninitialized = () => {
    if (announced) return;
    announced = true;
    // Comes after the response to initialize, even if a client went on without waiting for that response.
    process.nextTick(announce);
  };
  /** Required by the contract (`mcp.initialized`). Clients ignore notifications that they do not know. */
  function announce(): void {
    sdk
      .notification({ method: "notifications/initialized" })
      .catch((error: unknown) => log.debug("initialized was not sent", { error }));
  }

  sdk.setRequestHandler("tools/list", () => ({ tools: [...listed] }));
  sdk.setRequestHandler("tools/call", async ({ params }, context) => {
    const { signal } = context.mcpReq;
    const call = {
      name: params.name,
      args: params.arguments,
      signal,
      traceparent: context.mcpReq._meta?.traceparent?.toString(),
      progress: progressOf(context, server),
    };
    try {
      // The SDK does not know the results of extensions, but sends them unchanged.
      if (tasks && knowsTasks(context)) return (await tasks.call(server, call)) as CallToolResult;
      const result = await server.call(call);
      return { ...result, content: [...result.content] };
    } catch (error) {
      if (!(error instanceof UnknownTool)) throw error;
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, error.message);
    }
  });
  tasks?.register(sdk);
  return sdk;
}

function progressOf({ mcpReq }: ServerContext, { log }: ToolServer): ToolCall["progress"] {
  const progressToken = mcpReq._meta?.progressToken;
  let sent = 0;
  return (message, fraction) => {
    if (progressToken === undefined) return;
    // The protocol requires a value that rises with every notification, even if the total is unknown.
    sent = Math.max(sent + 0.01, fraction ?? 0);
    const total = fraction === undefined ? {} : { total: 1 };
    mcpReq
      .notify({
        method: "notifications/progress",
        params: { progressToken, progress: sent, message, ...total },
      })
      .catch((error: unknown) => log.warn("progress was not sent", { error }));
  };
}

/**
 * Lets the SDK serve a connection whose first messages have been answered. It gets these as well, to know the era and
 * the client; its own responses to them are dropped.
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
      onerror(toError(error));
    }
  };
  for (const message of answered) deliver(message);
  return deliver;
}

const isInitialized = (message: JSONRPCMessage) =>
  "method" in message && message.method === "notifications/initialized";
