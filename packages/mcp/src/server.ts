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

/** Only this file and httpTransport.ts know the SDK: a move to its next major version touches nothing else. */

export interface ServerDeps<App> {
  readonly name: string;
  readonly version: string;
  /** Under 120 words: the order in which to find ids, and what deletion does. */
  readonly instructions: string;
  /** The offered tools, as `tools/list` shows them ({@link describeTool}). */
  readonly tools: readonly ListedTool[];
  /** Loads the tools and what they share. Called once, by the first tool call, so that a start waits for neither. */
  load(): Promise<ToolSet<App>>;
  readonly log: Logger;
}

/** A tool as `tools/list` shows it: plain JSON, available without the tool's schemas and handler. */
export type ListedTool = SdkTool;

export interface ToolSet<App> {
  /** Includes at least the offered tools. */
  readonly tools: readonly Tool<App>[];
  readonly app: App;
  /**
   * Called before each tool runs.
   * @throws {AuthenticationRequired} for a caller that may not use any tool
   */
  admit?(context: ToolContext<App>): Promise<void>;
}

export interface ToolServer {
  connect(transport: Transport): Promise<void>;
  /** Aborts the calls in progress; resolves when each has been answered with the reason. */
  close(): Promise<void>;
  /** Whether a caller has been admitted before. */
  readonly isProven: boolean;
  /**
   * Checks that the caller may use tools at all.
   * @throws {AuthenticationRequired} for a caller that may not use any
   * @throws {unknown} the reason why it cannot be checked
   */
  prove(signal: AbortSignal): Promise<void>;
  /** Called when the connection has ended, whichever side ended it. */
  onclose: (() => void) | undefined;
}

type Extra = RequestHandlerExtra<Request, Notification>;

/** The largest message accepted. The longest legitimate one, a script for evaluate_js, is far smaller. */
export const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;

/** A transport over this process's stdin and stdout; a message over 4 MiB closes it. */
export const stdioTransport = (): Transport =>
  new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: MAX_MESSAGE_BYTES });

/**
 * An MCP server (specification 2025-11-25) that offers nothing but tools. It is built on the SDK's low-level `Server`,
 * because `McpServer` converts schemas with a second library and shapes results itself.
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
      // Only elicitation uses it; the SDK's default would build a validator (ajv) at every start.
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
      // The answers are sent in the next turn of the event loop.
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
  // A client's mistake needs no stack of ours.
  server.onerror = ({ message }) => deps.log.warn("protocol error", { error: message });

  let announced = false;
  server.oninitialized = () => {
    if (announced) return;
    announced = true;
    // Comes after the answer to initialize, even if a client went on without waiting for that answer.
    process.nextTick(announce);
  };
  /** Required by Grove's specification; clients ignore notifications that they do not know. */
  function announce(): void {
    server
      .notification({ method: "notifications/initialized" })
      .catch((error: unknown) => deps.log.debug("initialized was not sent", { error }));
  }

  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [...deps.tools] }));

  // Loose, so that malformed params are answered by the SDK's own check that follows: -32602, not -32603.
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

/** The MCP specification (2025-11-25, "Error Handling") requires a protocol error for an unknown tool. */
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
    // The protocol requires a value that rises with every notification, even if the total is unknown.
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
