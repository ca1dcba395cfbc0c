import * as z from "zod";

/** A JSON Schema document, or a part of one. */
export type JsonSchema = { [key: string]: unknown };

/** Limits from this many characters on are not listed: no caller exceeds them by accident. */
const LONGEST_BY_CHANCE = 200;

/**
 * The JSON Schema (2020-12) of what callers send (`input`: fields with a default are optional) or get (`output`),
 * without keywords that cost a model tokens and are of no use to it. An output lists only the fields of its top
 * level, which is closed: nested values are checked before they are sent.
 */
export function toJsonSchema(schema: z.ZodObject, io: "input" | "output"): JsonSchema {
  const { $schema: _dialect, ...full } = z.toJSONSchema(schema, { io });
  return io === "input" ? (compact(full) as JsonSchema) : listFields(full);
}

/** Lower limits that a call hardly ever misses. */
const isTrivialMinimum = (key: string, value: unknown): boolean =>
  key === "minLength" || key === "minItems" || (key === "minimum" && Number(value) <= 1);

function compact(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(compact);
  if (!isRecord(value)) return value;
  const compacted: JsonSchema = {};
  for (const [key, part] of Object.entries(value)) {
    // Saves tokens in every listing: the server refuses what breaks these rules. A property that is named `minLength`
    // has a schema as its value, and is kept.
    const isImplied = isTrivialMinimum(key, part) || (key === "additionalProperties" && part === false);
    if (isRecord(part) || !isImplied) compacted[key] = compact(part);
  }
  // The format suffices; zod's pattern for a date is 300 characters long.
  if (typeof compacted.format === "string") delete compacted.pattern;
  // The names of fields show which of them are ids, and callers never invent ids.
  if (compacted.format === "uuid") delete compacted.format;
  if (Number(compacted.maxLength) >= LONGEST_BY_CHANCE) delete compacted.maxLength;
  if (compacted.maximum === Number.MAX_SAFE_INTEGER) delete compacted.maximum;
  if (compacted.minimum === Number.MIN_SAFE_INTEGER) delete compacted.minimum;
  return withoutNullUnion(compacted);
}

/** Turns `anyOf: [X, null]` into X with a nullable type. */
function withoutNullUnion(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema;
  const [main, other] = anyOf;
  if (other?.type !== "null" || typeof main?.type !== "string") return schema;
  return { ...main, ...rest, type: [main.type, "null"] };
}

/** The fields of an output's top level, without their types. */
function listFields({ properties, additionalProperties }: JsonSchema): JsonSchema {
  const names = isRecord(properties) ? Object.keys(properties) : [];
  return { properties: Object.fromEntries(names.map((name) => [name, {}])), additionalProperties };
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
