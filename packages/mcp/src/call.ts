import { AuthenticationRequired, Stopping, ToolError } from "./errors";
import { parseInput } from "./input";
import type { Tool, ToolContent, ToolContext } from "./tool";

/** The result of `tools/call` (MCP specification 2025-11-25, "Tools"). */
export interface CallResult {
  content: readonly ToolContent[];
  structuredContent?: Record<string, unknown>;
  isError?: true;
  [key: string]: unknown;
}

/**
 * Runs a tool and makes the MCP result, failures included: it never throws. What a handler throws that is not meant
 * for the caller is logged with its stack and answered as `internal_error`.
 * @param admit called once the arguments have passed the schema: throws for who may not call any tool
 */
export async function callTool<App>(
  tool: Tool<App>,
  args: unknown,
  context: ToolContext<App>,
  admit?: (context: ToolContext<App>) => Promise<void>,
): Promise<CallResult> {
  try {
    const input = parseInput(tool, args);
    await admit?.(context);
    return toResult(tool, await tool.run(input, context));
  } catch (error) {
    return failure(tool.name, error, context);
  }
}

function toResult<App>(tool: Tool<App>, data: unknown): CallResult {
  if (!tool.output) return { content: data as readonly ToolContent[] };
  // An extra key or a wrong type would throw in a client that checks against the listed schema: it fails here first.
  const structuredContent = tool.output.parse(data);
  return { content: [{ type: "text", text: JSON.stringify(structuredContent) }], structuredContent };
}

function failure<App>(name: string, error: unknown, context: ToolContext<App>): CallResult {
  const { aborted, reason } = context.signal;
  if (aborted && reason instanceof Stopping)
    return { content: [{ type: "text", text: stopped(name).text }], isError: true };
  // The client does not get an answer to what it canceled.
  if (aborted) return { content: [], isError: true };
  if (error instanceof ToolError || error instanceof AuthenticationRequired) {
    context.log.debug("tool refused", { tool: name, error: error.text });
    return { content: [{ type: "text", text: error.text }], isError: true };
  }
  context.log.error("tool failed", { tool: name, error });
  const internal = new ToolError(
    "internal_error",
    `${name} failed for a reason of the server's own`,
    "The server's log on stderr has the details.",
  );
  return { content: [{ type: "text", text: internal.text }], isError: true };
}

const stopped = (name: string) =>
  new ToolError(
    "server_stopped",
    `The MCP server was stopped while ${name} was under way, and has ended it`,
    "Look at what stands before you call it again.",
  );
