import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { tablesWithoutPartitions, useTestDatabase } from "../testing";

const { db } = await useTestDatabase();

interface Column {
  type: string;
  nullable: boolean;
  /** Whether an insert may leave it out. */
  optional: boolean;
}
type Tables = Record<string, Record<string, Column>>;

/** The tables that these files declare, read from their text: types leave nothing to compare at run time. */
function declared(): Tables {
  const source = readdirSync(import.meta.dirname)
    .map((file) => readFileSync(join(import.meta.dirname, file), "utf8"))
    .join("\n");
  const bodies = new Map<string, string>();
  for (const [, name = "", body = ""] of source.matchAll(/^export interface (\w+) \{\n([\s\S]*?)^\}/gm))
    bodies.set(name, body);
  // A field begins at two spaces and ends at the semicolon before the next one.
  const fields = (body = "") =>
    [...body.matchAll(/^ {2}(\w+): ([\s\S]+?);\n(?= {2}[\w/]|$)/gm)].map(([, name = "", type = ""]) => ({
      name,
      type,
    }));
  return Object.fromEntries(
    fields(bodies.get("Database")).map((table) => [
      table.name,
      Object.fromEntries(fields(bodies.get(table.type)).map(({ name, type }) => [name, columnOf(type)])),
    ]),
  );
}

function columnOf(type: string): Column {
  const nullable = /\| null$|^Nullable/.test(type);
  return {
    type: kindOf(type),
    nullable,
    optional: nullable || /^(Generated<|Default|ColumnType<)/.test(type),
  };
}

function kindOf(type: string): string {
  if (/^(Nullable)?Json</.test(type)) return "object";
  if (/\[\]/.test(type)) return "array";
  if (/^(Nullable)?Timestamp$|^DefaultNow$/.test(type)) return "timestamp";
  return /\b(number|boolean)\b/.exec(type)?.[1] ?? "string";
}

/** The JavaScript kinds that the engines read PostgreSQL's types as; see ../engines/types.ts. */
const kinds: Record<string, string> = {
  bool: "boolean",
  int2: "number",
  int4: "number",
  float8: "number",
  timestamptz: "timestamp",
  jsonb: "object",
  _text: "array",
  _uuid: "array",
};

async function migrated(): Promise<Tables> {
  const tables = await tablesWithoutPartitions(db);
  return Object.fromEntries(
    tables.map(({ name, columns }) => [
      name,
      Object.fromEntries(
        columns.map(({ name, dataType, isNullable, hasDefaultValue }) => [
          name,
          {
            type: kinds[dataType] ?? "string",
            nullable: isNullable,
            optional: isNullable || hasDefaultValue,
          },
        ]),
      ),
    ]),
  );
}

const types = declared();
const tables = await migrated();

/** Every column as `table.column`, with the result of `describe`. */
const list = <T>(of: Tables, describe: (column: Column) => T): Record<string, T> =>
  Object.fromEntries(
    Object.entries(of).flatMap(([table, columns]) =>
      Object.entries(columns).map(([name, column]) => [`${table}.${name}`, describe(column)]),
    ),
  );

it("declares exactly the tables and columns of the migrated database", () => {
  const shape = ({ type, nullable }: Column) => `${type}${nullable ? " | null" : ""}`;
  expect(list(types, shape)).toEqual(list(tables, shape));
});

it("lets an insert omit only columns that the database fills in", () => {
  const filled = list(tables, ({ optional }) => optional);
  const optional = Object.entries(list(types, ({ optional }) => optional)).filter(([, optional]) => optional);
  expect(optional.filter(([name]) => !filled[name])).toEqual([]);
});
