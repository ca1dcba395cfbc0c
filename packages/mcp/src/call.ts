import { AuthenticationRequired, ToolError } from "./errors";
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
 */
export async function callTool<App>(
  tools: ReadonlyMap<string, Tool<App>>,
  name: string,
  args: unknown,
  context: ToolContext<App>,
): Promise<CallResult> {
  try {
    const tool = tools.get(name);
    if (!tool) throw unknownTool(name, tools);
    return toResult(tool, await tool.run(parseInput(tool, args), context));
  } catch (error) {
    return failure(name, error, context);
  }
}

function toResult<App>(tool: Tool<App>, data: unknown): CallResult {
  if (!tool.output) return { content: data as readonly ToolContent[] };
  // An extra key or a wrong type would throw in a client that checks against the listed schema: it fails here first.
  const structuredContent = tool.output.parse(data);
  return { content: [{ type: "text", text: JSON.stringify(structuredContent) }], structuredContent };
}

function failure<App>(name: string, error: unknown, context: ToolContext<App>): CallResult {
  // The client does not get an answer to what it canceled.
  if (context.signal.aborted) return { content: [], isError: true };
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

const unknownTool = <App>(name: string, tools: ReadonlyMap<string, Tool<App>>) =>
  new ToolError(
    "unknown_tool",
    `There is no tool ${JSON.stringify(name)}`,
    `The tools are: ${[...tools.keys()].join(", ")}.`,
  );
