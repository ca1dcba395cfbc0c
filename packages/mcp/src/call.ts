import { visibleText } from "@grove/schemas";
import { failSpan, span } from "@grove/tracing";
import type * as z from "zod";
import { AuthenticationRequired, Stopping, ToolError } from "./errors";
import { isRecord, type JsonSchema, toJsonSchema } from "./jsonSchema";
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
  const structuredContent = visible(tool.output.parse(data));
  return { content: [{ type: "text", text: JSON.stringify(structuredContent) }], structuredContent };
}

/**
 * Marks hidden characters in all texts of a result. Clients show either form of a result, to a model and to a person,
 * so structured content has the marks too. Ids never change.
 */
function visible<Value>(value: Value): Value {
  if (typeof value === "string") return visibleText(value) as Value;
  if (Array.isArray(value)) return value.map(visible) as Value;
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [visibleText(key), visible(part)]),
  ) as Value;
}

function failure<App>(name: string, error: unknown, context: ToolContext<App>): CallResult {
  const { aborted, reason } = context.signal;
  if (aborted && reason instanceof Stopping)
    return { content: [{ type: "text", text: stopped(name).text }], isError: true };
  // A client gets no response to a call that it canceled.
  if (aborted) return { content: [], isError: true };
  if (error instanceof ToolError || error instanceof AuthenticationRequired) {
    context.log.debug("tool refused", { tool: name, error: error.text });
    return { content: [{ type: "text", text: visibleText(error.text) }], isError: true };
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

type Issue = z.core.$ZodIssue;

/**
 * Checks arguments before the handler runs.
 * @throws {ToolError} that lists the problems field by field
 */
function parseInput<App>(tool: Tool<App>, args: unknown): unknown {
  const parsed = tool.input.safeParse(args ?? {});
  if (parsed.success) return parsed.data;
  const schema = toJsonSchema(tool.input, "input");
  const problems = parsed.error.issues.map((issue) => describe(issue, args, schema));
  throw new ToolError(
    "invalid_input",
    problems.join("; "),
    `Correct the arguments and call ${tool.name} again.`,
  );
}

function describe(issue: Issue, args: unknown, schema: JsonSchema): string {
  const field = fieldName(issue.path);
  if (issue.code === "unrecognized_keys") {
    const fieldText = field === "" ? "" : ` in ${field}`;
    const names = issue.keys.map((key) => JSON.stringify(key)).join(", ");
    return `unknown argument ${names}${fieldText}; expected ${expectedAt(schema, issue.path)}`;
  }
  const prefix = field === "" ? "" : `${field}: `;
  const value = valueAt(args, issue.path);
  if (value === undefined && issue.code === "invalid_type") return `${prefix}is required`;
  return `${prefix}${issue.message}${echo(issue, value)}`;
}

/** The offending value, if its content (not its size) is wrong; long values are cut. */
function echo(issue: Issue, value: unknown): string {
  if (issue.code === "too_big" || issue.code === "too_small" || value === undefined) return "";
  const text = JSON.stringify(value);
  return ` (got ${text.length > 80 ? `${text.slice(0, 80)}…` : text})`;
}

/** `workspaces[0].name` */
const fieldName = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((name, key) => {
    if (typeof key === "number") return `${name}[${key}]`;
    return name === "" ? String(key) : `${name}.${String(key)}`;
  }, "");

function valueAt(args: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined),
    args,
  );
}

/** The arguments expected at a place of the input: `deviceId, projectId, name (optional)`. */
function expectedAt(schema: JsonSchema, path: readonly PropertyKey[]): string {
  const at = path.reduce<unknown>((part, key) => {
    if (!isRecord(part)) return undefined;
    if (typeof key === "number") return part.items;
    return isRecord(part.properties) ? part.properties[String(key)] : undefined;
  }, schema);
  if (!isRecord(at) || !isRecord(at.properties)) return "no arguments";
  const required = Array.isArray(at.required) ? at.required : [];
  const names = Object.keys(at.properties).map((name) =>
    required.includes(name) ? name : `${name} (optional)`,
  );
  return names.length === 0 ? "no arguments" : names.join(", ");
}
