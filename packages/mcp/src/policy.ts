import * as z from "zod";
import { isRecord, type JsonSchema, toJsonSchema } from "./jsonSchema";
import { describeTool } from "./server";
import type { Tool } from "./tool";

const HINTS = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] as const;
const UNIONS = ["anyOf", "oneOf", "allOf"] as const;

/**
 * Checks all of a server's tools against the rules for tools. Returns one line for each violation.
 * Some clients refuse unions in input schemas. An open output schema lets through results on which a client throws.
 */
export function checkTools<App>(tools: readonly Tool<App>[]): string[] {
  const names = tools.map((tool) => tool.name);
  const twice = names
    .filter((name, index) => names.indexOf(name) !== index)
    .map((name) => `${name}: defined twice`);
  return [...twice, ...tools.flatMap((tool) => checkTool(tool).map((problem) => `${tool.name}: ${problem}`))];
}

/** A tool with its whole schemas, which `tools/list` shortens. */
export const documentTool = <App>(tool: Tool<App>) => ({
  ...describeTool(tool),
  inputSchema: z.toJSONSchema(tool.input, { io: "input" }),
  ...(tool.output && { outputSchema: z.toJSONSchema(tool.output) }),
});

function checkTool<App>(tool: Tool<App>): string[] {
  const problems: string[] = [];
  if (!/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(tool.name)) problems.push("the name is not snake_case");
  if (tool.title.trim() === "") problems.push("no title");
  if (tool.description.length >= 1000) problems.push("the description has 1000 characters or more");
  if (!/^[A-Z][^.]*\.(\s|$)/.test(tool.description))
    problems.push("the description does not begin with a sentence");
  for (const hint of HINTS) if (typeof tool.annotations[hint] !== "boolean") problems.push(`no ${hint}`);
  problems.push(...checkInput(toJsonSchema(tool.input, "input"), "input"));
  problems.push(...checkClosed(z.toJSONSchema(tool.input, { io: "input" }) as JsonSchema, "input"));
  if (tool.output) problems.push(...checkClosed(z.toJSONSchema(tool.output) as JsonSchema, "output"));
  return problems;
}

function checkInput(schema: JsonSchema, path: string): string[] {
  const problems: string[] = [];
  walk(schema, path, (part, at) => {
    if (UNIONS.some((word) => word in part) || Array.isArray(part.type)) problems.push(`${at} is a union`);
    for (const [name, field] of fieldsOf(part)) {
      if (typeof field.description !== "string") problems.push(`${at}.${name} is not described`);
    }
  });
  return problems;
}

function checkClosed(schema: JsonSchema, path: string): string[] {
  const problems: string[] = [];
  walk(schema, path, (part, at) => {
    const isObject = part.type === "object" || (Array.isArray(part.type) && part.type.includes("object"));
    if (isObject && part.additionalProperties !== false) problems.push(`${at} takes additional properties`);
  });
  return problems;
}

const fieldsOf = (schema: JsonSchema): [string, JsonSchema][] =>
  isRecord(schema.properties)
    ? Object.entries(schema.properties).filter((entry): entry is [string, JsonSchema] => isRecord(entry[1]))
    : [];

/** Visits a schema and every schema within it. */
function walk(schema: JsonSchema, path: string, visit: (part: JsonSchema, path: string) => void): void {
  visit(schema, path);
  for (const [name, field] of fieldsOf(schema)) walk(field, `${path}.${name}`, visit);
  if (isRecord(schema.items)) walk(schema.items, `${path}[]`, visit);
  for (const word of UNIONS) {
    const parts = schema[word];
    if (Array.isArray(parts)) for (const part of parts) if (isRecord(part)) walk(part, path, visit);
  }
}
