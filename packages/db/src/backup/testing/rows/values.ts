/** The rows of one table. */
export interface SampleTable {
  /** How many of a thousand rows are this table's; 0 for a small table. */
  share: number;
  columns: string;
  /** The rows' values, as a select list from the row's number `n`. */
  select: string;
}

/** Returns one id for each text, so that every run writes the same rows. */
export const id = (words: string) => `md5(${words})::uuid`;
export const organization = (n: string) => id(`'organization' || ${n} % 3`);
export const user = (n: string) => id(`'user' || ${n} % 20`);
export const device = (n: string) => id(`'device' || ${n} % 3 || ' ' || ${n} % 30`);
export const at = (n: string) =>
  `'2026-01-02 03:04:05.678901+00'::timestamptz + (${n}) * interval '1.000001 second'`;
/** Characters that need escaping in text formats. */
export const text = (n: string) => `'Überraschung "' || ${n} || E'" \\\\ {1,2} \\n\\t 🌳 null'`;
