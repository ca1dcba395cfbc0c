import * as z from "zod";

/** A JSON Schema document, or a part of one. */
export type JsonSchema = { [key: string]: unknown };

/** What a caller must keep to, and a reader of results need not know: it sees the value. */
const CONSTRAINTS = [
  "enum",
  "format",
  "pattern",
  "minLength",
  "maxLength",
  "minimum",
  "maximum",
  "minItems",
  "maxItems",
];

/**
 * The JSON Schema (2020-12) of what callers send (`input`: defaulted fields are optional) or get (`output`), without
 * the words that cost a model tokens and tell it nothing.
 */
export function toJsonSchema(schema: z.ZodObject, io: "input" | "output"): JsonSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io });
  return compact(rest, io === "input" ? [] : CONSTRAINTS) as JsonSchema;
}

function compact(value: unknown, needless: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => compact(item, needless));
  if (!isRecord(value)) return value;
  const out: JsonSchema = {};
  for (const [key, part] of Object.entries(value)) {
    // A field may have the name of a keyword, but its value is then a schema.
    if (isRecord(part) || !needless.includes(key)) out[key] = compact(part, needless);
  }
  // The format says it already; zod's pattern for a date is 300 characters long.
  if (typeof out.format === "string") delete out.pattern;
  if (out.maximum === Number.MAX_SAFE_INTEGER) delete out.maximum;
  if (out.minimum === Number.MIN_SAFE_INTEGER) delete out.minimum;
  return withoutNullUnion(out);
}

/** `anyOf: [X, null]` as X whose type may be null. */
function withoutNullUnion(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2 || anyOf[1]?.type !== "null") return schema;
  const [main] = anyOf;
  return typeof main?.type === "string" ? { ...main, ...rest, type: [main.type, "null"] } : schema;
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
