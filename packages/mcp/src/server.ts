import { visibleText } from "@grove/schemas";
import type { Tool as SdkTool, Transport } from "@modelcontextprotocol/server";
import { type CallResult, callTool } from "./call";
import { Stopping, UnknownTool } from "./errors";
import { toJsonSchema } from "./jsonSchema";
import type { Logger } from "./log";
import type { Tool, ToolContext } from "./tool";

export interface ServerDeps<App> extends Introduction {
  /** Loads the tools and what they share. Called once, by the first tool call, so that a start waits for neither. */
  load(): Promise<ToolSet<App>>;
  readonly log: Logger;
}

/** Facts about a server that every client receives. They never change while the server runs. */
export interface Introduction {
  readonly name: string;
  readonly version: string;
  /** Under 120 words: the order in which to find ids, and what deletion does. */
  readonly instructions: string;
  /** The offered tools, as `tools/list` shows them ({@link describeTool}). */
  readonly tools: readonly ListedTool[];
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
  /** Called once, after the last call, when the server closes. */
  close?(): Promise<void>;
}

/** A request to call a tool, in whichever era of the protocol it came. */
export interface ToolCall {
  readonly name: string;
  readonly args: unknown;
  readonly signal: AbortSignal;
  /** The client's span (W3C), from the request's `_meta`. */
  readonly traceparent: string | undefined;
  readonly progress: ToolContext<unknown>["progress"];
  /** How long it may take, if not as long as a request. */
  readonly timeMs?: number;
}

/** How long MCP clients wait for the response to a request. */
const REQUEST_MS = 60_000;

/** The tools of one caller and what they share; it serves any number of connections. It does not depend on the SDK. */
export interface ToolServer {
  readonly introduction: Introduction;
  readonly log: Logger;
  /**
   * Calls a tool.
   * @throws {UnknownTool} if it is not offered
   */
  call(call: ToolCall): Promise<CallResult>;
  /** Connects a client of the older era (see `sdk.ts`). */
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
}

/** Makes the server of a set of tools. Loads neither the tools nor the SDK before they are needed. */
export function createServer<App>({ load, log, ...introduction }: ServerDeps<App>): ToolServer {
  const { tools: offered } = introduction;
  let loading: Promise<Loaded<App>> | undefined;
  const loaded = () => {
    loading ??= load().then(({ tools, ...rest }) => ({
      ...rest,
      tools: new Map(tools.map((tool) => [tool.name, tool])),
    }));
    return loading;
  };
  const inFlight = new Set<Promise<unknown>>();
  const connections = new Set<{ close(): Promise<void> }>();
  const stop = new AbortController();
  let isProven = false;

  async function run({ timeMs = REQUEST_MS, ...call }: ToolCall): Promise<CallResult> {
    const { name, args, traceparent } = call;
    const progress: ToolCall["progress"] = (message, fraction) =>
      call.progress(visibleText(message), fraction);
    const startedAt = performance.now();
    const signal = AbortSignal.any([call.signal, stop.signal]);
    const { tools, app, admit } = await loaded();
    const tool = tools.get(name);
    if (!tool) throw new UnknownTool(name, offered);
    const context = { app, log, signal, startedAt, timeMs, traceparent, progress };
    return callTool(tool, args, context, async (asked) => {
      await admit?.(asked);
      isProven = true;
    });
  }

  return {
    introduction,
    log,
    async call(call) {
      if (!offered.some(({ name }) => name === call.name)) throw new UnknownTool(call.name, offered);
      const result = run(call);
      inFlight.add(result);
      try {
        return await result;
      } finally {
        inFlight.delete(result);
      }
    },
    async connect(transport) {
      const { createSdkServer } = await import("./sdk");
      const connection = createSdkServer(this);
      connections.add(connection);
      await connection.connect(transport);
    },
    async close() {
      stop.abort(new Stopping());
      await Promise.allSettled(inFlight);
      await loading?.then((set) => set.close?.()).catch(() => undefined);
      // The responses are sent in the next turn of the event loop.
      await new Promise(setImmediate);
      await Promise.all([...connections].map((connection) => connection.close()));
    },
    get isProven() {
      return isProven;
    },
    async prove(signal) {
      const { app, admit } = await loaded();
      const [startedAt, timeMs] = [performance.now(), REQUEST_MS];
      await admit?.({ app, log, signal, startedAt, timeMs, progress: () => {} });
      isProven = true;
    },
  };
}

interface Loaded<App> extends Pick<ToolSet<App>, "app" | "admit" | "close"> {
  readonly tools: ReadonlyMap<string, Tool<App>>;
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
