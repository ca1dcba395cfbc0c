import { readBackup } from "../read";

/** The rows of a backup, each as an object with its columns, by table. */
export async function rowsOf(path: string): Promise<Record<string, Record<string, string | null>[]>> {
  const tables: Record<string, Record<string, string | null>[]> = {};
  let name = "";
  let columns: string[] = [];
  for await (const part of readBackup(path)) {
    if ("table" in part) {
      name = part.table.table;
      columns = part.table.columns;
      tables[name] = [];
    }
    if ("rows" in part)
      for (const row of part.rows) {
        const values: (string | null)[] = JSON.parse(row);
        tables[name]?.push(Object.fromEntries(columns.map((column, at) => [column, values[at] ?? null])));
      }
  }
  return tables;
}
