/** The part of JSON Schema that zod generates. */
export interface JsonSchema {
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  default?: unknown;
  description?: string;
  additionalProperties?: boolean | JsonSchema;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
}

/** A schema as a short TypeScript-like type. */
export function typeOf(schema: JsonSchema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.map(typeOf).join(" | ");
  if (schema.allOf) return schema.allOf.map(typeOf).join(" & ");
  if (Array.isArray(schema.type)) return schema.type.join(" | ");
  if (schema.type === "array" || schema.items) return `${parenthesized(typeOf(schema.items ?? {}))}[]`;
  if (schema.type === "object" || schema.properties) return objectType(schema);
  return schema.format && schema.type === "string" ? schema.format : (schema.type ?? "any");
}

const parenthesized = (type: string) => (type.includes(" | ") ? `(${type})` : type);

function objectType({ properties, required = [] }: JsonSchema): string {
  if (!properties) return "object";
  const fields = Object.entries(properties).map(
    ([name, field]) => `${name}${required.includes(name) ? "" : "?"}: ${typeOf(field)}`,
  );
  return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`;
}

const MAX_SAFE = Number.MAX_SAFE_INTEGER;

/** The limits of a value, beyond its type. */
function limitsOf(schema: JsonSchema): string {
  const limits: string[] = [];
  const range = (low: number | undefined, high: number | undefined, what: string) => {
    const min = low !== undefined && low > -MAX_SAFE ? low : undefined;
    const max = high !== undefined && high < MAX_SAFE ? high : undefined;
    if (min !== undefined && max !== undefined) limits.push(`${min}..${max}${what}`);
    else if (max !== undefined) limits.push(`at most ${max}${what}`);
    else if (min !== undefined) limits.push(`at least ${min}${what}`);
  };
  range(schema.minLength, schema.maxLength, " characters");
  range(schema.minimum, schema.maximum, "");
  range(schema.minItems, schema.maxItems, " items");
  if (schema.default !== undefined) limits.push(`default ${JSON.stringify(schema.default)}`);
  if (schema.description) limits.push(schema.description);
  return limits.join("; ");
}

/** A table of an object's fields. */
export function fieldTable({ properties = {}, required = [] }: JsonSchema): string {
  const cell = (text: string) => text.replaceAll("|", "\\|").replaceAll("\n", " ");
  const rows = Object.entries(properties).map(
    ([name, field]) =>
      `| ${name} | \`${cell(typeOf(field))}\` | ${required.includes(name) && field.default === undefined ? "yes" : ""} | ${cell(limitsOf(field))} |`,
  );
  return ["| input | type | required | |", "| --- | --- | --- | --- |", ...rows].join("\n");
}
