import * as z from "zod";

/** A JSON Schema document, or a part of one. */
export type JsonSchema = { [key: string]: unknown };

/** A larger limit is not exceeded by chance, so it is not listed. */
const LONGEST_BY_CHANCE = 1_000;

/**
 * The JSON Schema (2020-12) of what callers send (`input`: fields with a default are optional) or get (`output`),
 * without keywords that cost a model tokens and are of no use to it. An output lists only fields. Its top level is
 * closed: nested values are checked before they are sent.
 */
export function toJsonSchema(schema: z.ZodObject, io: "input" | "output"): JsonSchema {
  const { $schema: _dialect, ...full } = z.toJSONSchema(schema, { io });
  return io === "input" ? (compact(full) as JsonSchema) : listFields(full);
}

function compact(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(compact);
  if (!isRecord(value)) return value;
  const compacted: JsonSchema = {};
  for (const [key, part] of Object.entries(value)) {
    // Omits `minLength` to save tokens in every listing: callers rarely send an empty text, and a violation is reported
    // anyway. A property that is named `minLength` has a schema as its value, and is kept.
    if (isRecord(part) || key !== "minLength") compacted[key] = compact(part);
  }
  // The format suffices; zod's pattern for a date is 300 characters long.
  if (typeof compacted.format === "string") delete compacted.pattern;
  // The names of fields say which of them are ids, which callers never invent.
  if (compacted.format === "uuid") delete compacted.format;
  if (Number(compacted.maxLength) > LONGEST_BY_CHANCE) delete compacted.maxLength;
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

/** The fields of an output, without their types, and those of the items of its lists. */
function listFields(output: JsonSchema): JsonSchema {
  const fields = isRecord(output.properties) ? Object.entries(output.properties) : [];
  const listed = fields.map(([name, field]) => {
    const item = isRecord(field) && isRecord(field.items) ? field.items : {};
    const names = isRecord(item.properties) ? Object.keys(item.properties) : [];
    const ofItem = Object.fromEntries(names.map((one) => [one, {}]));
    return [name, names.length > 0 ? { items: { properties: ofItem } } : {}];
  });
  return { properties: Object.fromEntries(listed), additionalProperties: output.additionalProperties };
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
