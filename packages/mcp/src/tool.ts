import type * as z from "zod";
import type { Logger } from "./log";

/** The context of a tool call. It is our own type, so that only one file depends on the SDK's `extra`. */
export interface ToolContext<App> {
  /** Shared by all tools of the application. */
  readonly app: App;
  /** Aborted when the client cancels the call or disconnects; pass it on at every await. */
  readonly signal: AbortSignal;
  /** When the call arrived, by performance.now(). */
  readonly startedAt: number;
  /** How long the call may take: as long as a client waits for a request, or as long as a task may run. */
  readonly timeMs: number;
  readonly log: Logger;
  /** The client's span (W3C), from the call's `_meta`. */
  readonly traceparent?: string | undefined;
  /** Reports the call's progress (0..1); nothing is sent unless the client asked for it. */
  progress(message: string, fraction?: number): void;
}

/** All four are required, since the defaults of the MCP specification are the least cautious ones. */
export interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** One content entry of a tool without an output schema. */
export type ToolContent =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly data: string; readonly mimeType: string };

interface ToolHead {
  readonly name: string;
  readonly title: string;
  /** One sentence, then when to use it. */
  readonly description: string;
  readonly annotations: ToolAnnotations;
}

/** A tool as the server sees it: its input and output are checked at the boundary, not by types. */
export interface Tool<App> extends ToolHead {
  readonly input: z.ZodObject;
  readonly output: z.ZodObject | undefined;
  run(input: unknown, context: ToolContext<App>): Promise<unknown>;
}

/**
 * Defines a tool. The handler gets input that has passed the schema and returns data, which the boundary turns into an
 * MCP result. With an `output` schema that is structured content and the same JSON as text; without one, the returned
 * content entries. A handler fails by throwing ToolError or AuthenticationRequired; any other error is reported as an
 * internal one.
 */
export function defineTool<
  App,
  Input extends z.ZodObject,
  Output extends z.ZodObject | undefined = undefined,
>(
  tool: ToolHead & {
    readonly input: Input;
    readonly output?: Output;
    run(
      input: z.output<Input>,
      context: ToolContext<App>,
    ): Promise<Output extends z.ZodObject ? z.input<Output> : readonly ToolContent[]>;
  },
): Tool<App> {
  return {
    ...tool,
    output: tool.output,
    // The server parses the input with this same schema before the call.
    run: (input, context) => tool.run(input as z.output<Input>, context),
  };
}
