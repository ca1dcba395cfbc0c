import * as z from "zod";

/** A JSON Schema document, or a part of one. */
export type JsonSchema = { [key: string]: unknown };

/** What is said of an error when it happens need not be read by everyone before: hardly anybody sends an empty text. */
const NEEDLESS_IN_INPUT = ["minLength"];
/** A longer text is not sent by chance. */
const LONGEST_BY_CHANCE = 1_000;

/** What a caller must keep to, and a reader of results need not know: it sees the value, and which fields are there. */
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
 * The JSON Schema (2020-12) of what callers send (`input`: defaulted fields are optional) or get (`output`), without
 * the words that cost a model tokens and tell it nothing. An output tells its fields; of their values only that they
 * are objects or lists. It is closed as a whole: what is inside is checked before it is sent.
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
  const out: JsonSchema = {};
  for (const [key, part] of Object.entries(value)) {
    // A field may have the name of a keyword, but its value is then a schema.
    if (isRecord(part) || !needless.includes(key)) out[key] = compact(part, io);
  }
  // The format says it already; zod's pattern for a date is 300 characters long.
  if (typeof out.format === "string") delete out.pattern;
  if (Number(out.maxLength) > LONGEST_BY_CHANCE) delete out.maxLength;
  if (out.maximum === Number.MAX_SAFE_INTEGER) delete out.maximum;
  if (out.minimum === Number.MIN_SAFE_INTEGER) delete out.minimum;
  if (io === "output" && typeof out.type === "string" && !["object", "array"].includes(out.type))
    delete out.type;
  return withoutNullUnion(out, io);
}

/** `anyOf: [X, null]` as X whose type may be null; in an output, where X is no object or list, as nothing. */
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
