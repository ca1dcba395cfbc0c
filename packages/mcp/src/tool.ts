import type * as z from "zod";
import type { Logger } from "./log";

/** What a tool's handler is given besides its input. Ours, so that the SDK's `extra` is known to one file only. */
export interface ToolContext<App> {
  /** What the application shares among its tools. */
  readonly app: App;
  /** Aborted when the client cancels the call or goes away; to be passed on at every await. */
  readonly signal: AbortSignal;
  /** When the call came, as performance.now() tells it. */
  readonly startedAt: number;
  readonly log: Logger;
  /** Tells the client how far the call is (0..1); nothing is sent unless the client asked for progress. */
  progress(message: string, fraction?: number): void;
}

/** All four, since the defaults of the MCP specification are the least careful ones. */
export interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** One entry of a result made by a tool without an output schema. */
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

/** A tool as the server sees it: what it takes and gives is checked at the boundary, not by types. */
export interface Tool<App> extends ToolHead {
  readonly input: z.ZodObject;
  readonly output: z.ZodObject | undefined;
  run(input: unknown, context: ToolContext<App>): Promise<unknown>;
}

/**
 * Defines a tool. The handler gets input that has passed the schema and returns data; the boundary makes the MCP
 * result of it: with an `output` schema structured content and the same JSON as text, without one the content entries
 * it returned. It fails by throwing a ToolError or AuthenticationRequired; anything else thrown is reported as an
 * internal error.
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
    // The server parses with this very schema before it calls.
    run: (input, context) => tool.run(input as z.output<Input>, context),
  };
}
