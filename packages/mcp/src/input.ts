import type * as z from "zod";
import { ToolError } from "./errors";
import { isRecord, type JsonSchema, toJsonSchema } from "./jsonSchema";
import type { Tool } from "./tool";

type Issue = z.core.$ZodIssue;

/**
 * Checks arguments before the handler runs.
 * @throws {ToolError} that lists the problems field by field
 */
export function parseInput<App>(tool: Tool<App>, args: unknown): unknown {
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
    const where = field === "" ? "" : ` in ${field}`;
    const names = issue.keys.map((key) => JSON.stringify(key)).join(", ");
    return `unknown argument ${names}${where}; expected ${expectedAt(schema, issue.path)}`;
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
