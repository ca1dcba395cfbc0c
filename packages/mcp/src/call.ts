import { failSpan, span } from "@grove/tracing";
import { AuthenticationRequired, Stopping, ToolError } from "./errors";
import { parseInput } from "./input";
import type { Tool, ToolContent, ToolContext } from "./tool";

/** The result of `tools/call` (MCP specification, "Tools"; equal in both eras). */
export interface CallResult {
  content: readonly ToolContent[];
  structuredContent?: Record<string, unknown>;
  isError?: true;
  [key: string]: unknown;
}

/**
 * Runs a tool and turns the outcome, failures included, into an MCP result; it never throws. An error that is not meant
 * for the caller is logged with its stack and answered as `internal_error`.
 * @param admit called once the arguments have passed the schema; throws for a caller that may not use any tool
 */
export async function callTool<App>(
  tool: Tool<App>,
  args: unknown,
  context: ToolContext<App>,
  admit?: (context: ToolContext<App>) => Promise<void>,
): Promise<CallResult> {
  return span(`tools/call ${tool.name}`, { parent: context.traceparent, kind: "server" }, async () => {
    try {
      const input = parseInput(tool, args);
      await admit?.(context);
      return toResult(tool, await tool.run(input, context));
    } catch (error) {
      failSpan("tool failed");
      return failure(tool.name, error, context);
    }
  });
}

function toResult<App>(tool: Tool<App>, data: unknown): CallResult {
  if (!tool.output) return { content: data as readonly ToolContent[] };
  // A client that validates against the listed schema throws on an extra key or a wrong type, so fail here first.
  const structuredContent = tool.output.parse(data);
  return { content: [{ type: "text", text: JSON.stringify(structuredContent) }], structuredContent };
}

function failure<App>(name: string, error: unknown, context: ToolContext<App>): CallResult {
  const { aborted, reason } = context.signal;
  if (aborted && reason instanceof Stopping)
    return { content: [{ type: "text", text: stopped(name).text }], isError: true };
  // A client gets no answer to a call that it canceled.
  if (aborted) return { content: [], isError: true };
  if (error instanceof ToolError || error instanceof AuthenticationRequired) {
    context.log.debug("tool refused", { tool: name, error: error.text });
    return { content: [{ type: "text", text: error.text }], isError: true };
  }
  context.log.error("tool failed", { tool: name, error });
  const internal = new ToolError(
    "internal_error",
    `${name} failed because of an error in the server itself`,
    "The server's log on stderr has the details.",
  );
  return { content: [{ type: "text", text: internal.text }], isError: true };
}

const stopped = (name: string) =>
  new ToolError(
    "server_stopped",
    `The MCP server was stopped while ${name} was running, and ended the call`,
    "Check what it has done before you call it again.",
  );
