import * as z from "zod";

/** A JSON Schema document, or a part of one. */
export type JsonSchema = { [key: string]: unknown };

/** Reported when violated, so it needs no tokens in every listing: callers hardly ever send an empty text. */
const NEEDLESS_IN_INPUT = ["minLength"];
/** A larger limit is not exceeded by chance, so it is not listed. */
const LONGEST_BY_CHANCE = 1_000;

/** Constraints that matter to callers, not to readers of results, who see the value and its fields. */
const NEEDLESS_IN_OUTPUT = [
  ...NEEDLESS_IN_INPUT,
  "maxLength",
  "additionalProperties",
  "default",
  "enum",
  "format",
  "pattern",
  "minimum",
  "maximum",
  "minItems",
  "maxItems",
  "required",
];

/**
 * The JSON Schema (2020-12) of what callers send (`input`: fields with a default are optional) or get (`output`),
 * without keywords that cost a model tokens and are of no use to it. An output lists its fields, and of their values
 * only whether they are objects or lists. Only its top level is closed: nested values are checked before they are sent.
 */
export function toJsonSchema(schema: z.ZodObject, io: "input" | "output"): JsonSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io });
  const compacted = compact(rest, io) as JsonSchema;
  return io === "input" ? compacted : { ...compacted, additionalProperties: rest.additionalProperties };
}

function compact(value: unknown, io: "input" | "output"): unknown {
  if (Array.isArray(value)) return value.map((item) => compact(item, io));
  if (!isRecord(value)) return value;
  const needless = io === "input" ? NEEDLESS_IN_INPUT : NEEDLESS_IN_OUTPUT;
  const compacted: JsonSchema = {};
  for (const [key, part] of Object.entries(value)) {
    // A field may have the same name as a keyword, but its value is a schema then.
    if (isRecord(part) || !needless.includes(key)) compacted[key] = compact(part, io);
  }
  // The format suffices; zod's pattern for a date is 300 characters long.
  if (typeof compacted.format === "string") delete compacted.pattern;
  if (Number(compacted.maxLength) > LONGEST_BY_CHANCE) delete compacted.maxLength;
  if (compacted.maximum === Number.MAX_SAFE_INTEGER) delete compacted.maximum;
  if (compacted.minimum === Number.MIN_SAFE_INTEGER) delete compacted.minimum;
  if (io === "output" && typeof compacted.type === "string" && !["object", "array"].includes(compacted.type))
    delete compacted.type;
  return withoutNullUnion(compacted, io);
}

/**
 * Turns `anyOf: [X, null]` into X with a nullable type. In an output the type is dropped unless X is an object or list.
 */
function withoutNullUnion(schema: JsonSchema, io: "input" | "output"): JsonSchema {
  const { anyOf, type, ...rest } = schema;
  if (io === "output" && Array.isArray(type)) return rest;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema;
  const [main, other] = anyOf;
  if (io === "output" && main?.type === undefined) return rest;
  if (other?.type !== "null" || typeof main?.type !== "string") return schema;
  return { ...main, ...rest, type: [main.type, "null"] };
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
