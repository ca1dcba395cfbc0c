import { type Kysely, sql } from "kysely";
import type { Database } from "../tables";

/** A table as the database describes it. */
export interface CatalogTable {
  name: string;
  /** The columns that hold data: all but those that the database computes. */
  columns: { name: string; type: string }[];
  /** The columns of the primary key. */
  key: string[];
  /** The other tables that its foreign keys refer to. */
  refersTo: string[];
}

/** All tables of the schema that are Grove's, each after those that its foreign keys refer to. */
export async function catalogTables(db: Kysely<Database>): Promise<CatalogTable[]> {
  // Read from the database, because its schema may be older than this program's.
  const { rows } = await sql<{
    name: string;
    columns: CatalogTable["columns"];
    key: string[];
    refers_to: string[];
  }>`
    select relname as name,
      (select json_agg(json_build_object('name', attname, 'type', format_type(atttypid, atttypmod)) order by attnum)
        from pg_attribute where attrelid = class.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns,
      coalesce((select json_agg(attname order by array_position(conkey, attnum)) from pg_constraint
        join pg_attribute on attrelid = conrelid and attnum = any (conkey)
        where conrelid = class.oid and contype = 'p'), '[]') as key,
      coalesce((select json_agg(distinct target.relname) from pg_constraint join pg_class as target on target.oid = confrelid
        where conrelid = class.oid and contype = 'f' and confrelid <> class.oid), '[]') as refers_to
    from pg_class as class
    where relkind in ('r', 'p') and not relispartition and relnamespace = current_schema()::regnamespace and relname not like 'kysely\_%'
    order by relname`.execute(db);
  return inOrder(rows.map(({ refers_to, ...table }) => ({ ...table, refersTo: refers_to })));
}

/** Runtime tables of API instances. They are not backed up, and may have rows when a backup is restored. */
const ofInstances = ["analytics_seen", "api_instances", "maintenance"];

/** Whether a table is data. */
export const isData = ({ name }: Pick<CatalogTable, "name">): boolean => !ofInstances.includes(name);

/** @throws {Error} when foreign keys form a cycle */
export function inOrder<Table extends Pick<CatalogTable, "name" | "refersTo">>(
  tables: readonly Table[],
): Table[] {
  const remainingTables = new Map(tables.map((table) => [table.name, table]));
  const ordered: Table[] = [];
  while (remainingTables.size > 0) {
    const next = [...remainingTables.values()].find(
      ({ refersTo }) => !refersTo.some((name) => remainingTables.has(name)),
    );
    if (next === undefined)
      throw new Error(`These tables refer to each other: ${[...remainingTables.keys()].join(", ")}.`);
    remainingTables.delete(next.name);
    ordered.push(next);
  }
  return ordered;
}
