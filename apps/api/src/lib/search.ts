import { type SqlBool, sql } from "kysely";

/** Whether a column contains a text, whatever its case. `%`, `_` and `\` mean themselves. */
export const containing = (column: string, text: string) =>
  sql<SqlBool>`${sql.ref(column)} ilike ${`%${text.replace(/[\\%_]/g, "\\$&")}%`}`;
