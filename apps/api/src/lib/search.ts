import { type SqlBool, sql } from "kysely";

/** Whether a column contains a text, regardless of case. `%`, `_` and `\` are literal. */
export const containing = (column: string, text: string) =>
  sql<SqlBool>`${sql.ref(column)} ilike ${`%${text.replace(/[\\%_]/g, "\\$&")}%`}`;
