import { sql, type Transaction } from "kysely";
import type { Database } from "../tables";

/** Settings with which a value's text is the same on every server, and long work is not ended. For this transaction. */
const settings = {
  TimeZone: "UTC",
  DateStyle: "ISO, YMD",
  IntervalStyle: "postgres",
  extra_float_digits: "1",
  bytea_output: "hex",
  statement_timeout: "0",
  idle_in_transaction_session_timeout: "0",
  // Tables are read in the order of an index, which needs neither memory nor a wait for the first row.
  enable_sort: "off",
  cursor_tuple_fraction: "0.001",
};

/** Makes the transaction read and write values as text that does not depend on the server's settings. */
export async function plainText(trx: Transaction<Database>): Promise<void> {
  for (const [name, value] of Object.entries(settings))
    await sql`select set_config(${name}, ${value}, true)`.execute(trx);
}
