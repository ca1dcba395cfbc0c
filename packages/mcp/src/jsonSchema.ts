import * as z from "zod";

/** A JSON Schema document, or a part of one. */
export type JsonSchema = { [key: string]: unknown };

/**
 * The JSON Schema (2020-12) of what callers send (`input`: defaulted fields are optional) or get (`output`), without
 * the words that cost a model tokens and tell it nothing.
 */
export function toJsonSchema(schema: z.ZodObject, io: "input" | "output"): JsonSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io });
  return compact(rest) as JsonSchema;
}

function compact(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(compact);
  if (!isRecord(value)) return value;
  const out: JsonSchema = Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, compact(part)]),
  );
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
  if (typeof main?.type !== "string") return schema;
  const values = Array.isArray(main.enum) ? { enum: [...main.enum, null] } : {};
  return { ...main, ...values, ...rest, type: [main.type, "null"] };
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
