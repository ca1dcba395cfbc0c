import pg from "pg";
import { clientConfig } from "./engines/postgres/postgres";

/** The name of the prepared statement that each of the two connections creates. */
const name = "grove_probe";

/** A pooler shares connections between clients without keeping their prepared statements apart. */
export class PoolerError extends Error {
  override name = "PoolerError";
  constructor(cause: unknown) {
    super(
      "The pooler loses prepared statements. Use PgBouncer 1.21 or later with max_prepared_statements above 0, pool_mode = session, or the address of PostgreSQL itself.",
      { cause },
    );
  }
}

/**
 * Checks that two connections can each prepare a statement under the same name, as pools of several instances do.
 * Behind a pooler in transaction mode, both usually get the same server connection, where the second one finds the
 * first one's statement.
 * @throws {PoolerError} if they cannot
 */
export async function requirePreparedStatements(url: string): Promise<void> {
  const clients = [new pg.Client(clientConfig(url)), new pg.Client(clientConfig(url))];
  try {
    for (const client of clients) {
      client.on("error", () => {});
      await client.connect();
    }
    for (const round of [1, 2])
      for (const [index, client] of clients.entries()) {
        const text = `select $1::int + ${index} as sum`;
        const { rows } = await client.query<{ sum: number }>({ name, text, values: [round] });
        if (rows[0]?.sum !== round + index) throw new PoolerError("another client's statement was run");
      }
  } catch (error) {
    throw isPreparedStatementError(error) ? new PoolerError(error) : error;
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}

/** The statement exists already, or does not exist. */
const isPreparedStatementError = (error: unknown) =>
  error instanceof pg.DatabaseError && ["42P05", "26000"].includes(error.code ?? "");
