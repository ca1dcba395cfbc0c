import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import type { RequestHandlerExtra } from "@modelcontextprotocol/sdk/shared/protocol.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type Notification,
  type Request,
  type Tool as SdkTool,
} from "@modelcontextprotocol/sdk/types.js";
import * as z from "zod";
import { callTool } from "./call";
import { Stopping } from "./errors";
import { toJsonSchema } from "./jsonSchema";
import type { Logger } from "./log";
import type { Tool, ToolContext } from "./tool";

/** The only file beside httpTransport.ts that knows the SDK: a move to its next major touches nothing else. */

export interface ServerDeps<App> {
  readonly name: string;
  readonly version: string;
  /** Under 120 words: the order in which ids are found, and what deletes do. */
  readonly instructions: string;
  /** The tools that are offered, as `tools/list` shows them ({@link describeTool}). */
  readonly tools: readonly ListedTool[];
  /** The tools themselves and what they share. Called once, by the first call of a tool: a start waits for neither. */
  load(): Promise<ToolSet<App>>;
  readonly log: Logger;
}

/** A tool as `tools/list` shows it: plain JSON, which a program can have without its schemas and handlers. */
export type ListedTool = SdkTool;

export interface ToolSet<App> {
  /** At least those that are offered. */
  readonly tools: readonly Tool<App>[];
  readonly app: App;
  /** Called before each tool runs. Throws AuthenticationRequired for who may not call any. */
  admit?(context: ToolContext<App>): Promise<void>;
}

export interface ToolServer {
  connect(transport: Transport): Promise<void>;
  /** Aborts the calls that are under way, and resolves when each has been answered that it was ended. */
  close(): Promise<void>;
  /** Whether a caller was admitted once. */
  readonly isProven: boolean;
  /** Finds out whether its callers may call tools at all. @throws AuthenticationRequired, or why that is not known */
  prove(signal: AbortSignal): Promise<void>;
  /** Called when the connection has ended, whoever ended it. */
  onclose: (() => void) | undefined;
}

type Extra = RequestHandlerExtra<Request, Notification>;

/** The largest message that is read. The longest legitimate one, a script for evaluate_js, is far below it. */
export const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;

/** A transport over this process's stdin and stdout; a longer message than 4 MiB closes it. */
export const stdioTransport = (): Transport =>
  new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: MAX_MESSAGE_BYTES });

/**
 * An MCP server (specification 2025-11-25) that offers tools and nothing else. Made of the SDK's low-level `Server`:
 * `McpServer` converts schemas with a second library and shapes results itself.
 */
export function createServer<App>(deps: ServerDeps<App>): ToolServer {
  let loading: Promise<Loaded<App>> | undefined;
  const underWay = new Set<Promise<unknown>>();
  const stop = new AbortController();
  let isProven = false;
  const server = new Server<Request, Notification>(
    { name: deps.name, version: deps.version },
    {
      capabilities: { tools: {} },
      instructions: deps.instructions,
      // Only elicitation uses it; the SDK's own would build a validator (ajv) at every start.
      jsonSchemaValidator: {
        getValidator: () => () => ({ valid: false, data: undefined, errorMessage: "not used" }),
      },
    },
  );
  const connection: ToolServer = {
    connect: (transport) => server.connect(transport),
    async close() {
      stop.abort(new Stopping());
      await Promise.allSettled(underWay);
      // The answers are sent in the turn after.
      await new Promise(setImmediate);
      await server.close();
    },
    get isProven() {
      return isProven;
    },
    async prove(signal) {
      loading ??= load(deps);
      const { app, admit } = await loading;
      const startedAt = performance.now();
      await admit?.({ app, log: deps.log, signal, startedAt, progress: () => {} });
      isProven = true;
    },
    onclose: undefined,
  };
  server.onclose = () => connection.onclose?.();
  // What a client got wrong needs no stack of ours.
  server.onerror = ({ message }) => deps.log.warn("protocol error", { error: message });

  let announced = false;
  server.oninitialized = () => {
    if (announced) return;
    announced = true;
    // After the answer to initialize, also where a client did not wait for that before it went on.
    process.nextTick(announce);
  };
  /** Grove's specification asks for it; clients ignore notifications they do not know. */
  function announce(): void {
    server
      .notification({ method: "notifications/initialized" })
      .catch((error: unknown) => deps.log.debug("initialized was not sent", { error }));
  }

  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [...deps.tools] }));

  // Loose, so that the SDK's own check after it answers malformed params with -32602, and not with -32603.
  server.setRequestHandler(z.looseObject({ method: z.literal("tools/call") }), (request, extra) => {
    const { params } = CallToolRequestSchema.parse(request);
    const startedAt = performance.now();
    const signal = AbortSignal.any([extra.signal, stop.signal]);
    if (!deps.tools.some(({ name }) => name === params.name)) throw unknownTool(params.name, deps.tools);
    loading ??= load(deps);
    const result = loading.then(({ tools, app, admit }) => {
      const tool = tools.get(params.name);
      if (!tool) throw unknownTool(params.name, deps.tools);
      const { log } = deps;
      const context = { app, log, signal, startedAt, progress: progressOf(extra, log) };
      return callTool(tool, params.arguments, context, async (asked) => {
        await admit?.(asked);
        isProven = true;
      });
    });
    underWay.add(result);
    return result.finally(() => underWay.delete(result));
  });
  return connection;
}

interface Loaded<App> extends Pick<ToolSet<App>, "app" | "admit"> {
  readonly tools: ReadonlyMap<string, Tool<App>>;
}

async function load<App>(deps: ServerDeps<App>): Promise<Loaded<App>> {
  const offered = new Set(deps.tools.map(({ name }) => name));
  const { tools, ...rest } = await deps.load();
  return {
    ...rest,
    tools: new Map(tools.filter(({ name }) => offered.has(name)).map((tool) => [tool.name, tool])),
  };
}

/** The MCP specification (2025-11-25, "Error Handling") answers an unknown tool with a protocol error. */
const unknownTool = (name: string, tools: readonly ListedTool[]) =>
  new McpError(
    ErrorCode.InvalidParams,
    `Unknown tool: ${JSON.stringify(name)}. The tools are: ${tools.map((tool) => tool.name).join(", ")}.`,
  );

function progressOf(extra: Extra, log: Logger): ToolContext<unknown>["progress"] {
  const progressToken = extra._meta?.progressToken;
  let sent = 0;
  return (message, fraction) => {
    if (progressToken === undefined) return;
    // The protocol wants a value that rises with every notification, whether or not the total is known.
    sent = Math.max(sent + 0.01, fraction ?? 0);
    const total = fraction === undefined ? {} : { total: 1 };
    extra
      .sendNotification({
        method: "notifications/progress",
        params: { progressToken, progress: sent, message, ...total },
      })
      .catch((error: unknown) => log.warn("progress was not sent", { error }));
  };
}

/** A tool as `tools/list` shows it. */
export function describeTool<App>(tool: Tool<App>): ListedTool {
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: { ...toJsonSchema(tool.input, "input"), type: "object" },
    ...(tool.output && { outputSchema: { ...toJsonSchema(tool.output, "output"), type: "object" as const } }),
    annotations: { ...tool.annotations },
  };
}
