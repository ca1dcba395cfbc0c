import { CompiledQuery, type DatabaseConnection } from "kysely";
import { TooCostlyError } from "../../errors";

/** The highest cost that the planner may estimate, in its own units: five to ten seconds on this engine. */
const MAX_COST = 150_000;

/**
 * Wraps the connection for statements that may read much. PGlite runs a statement on the main thread, and nothing can
 * abort a running one; `statement_timeout` has no effect. So the planner's estimate is checked first.
 */
export const withBoundedCost = (connection: DatabaseConnection): DatabaseConnection => ({
  executeQuery: async (query) => {
    const explain = CompiledQuery.raw(`explain (format json) ${query.sql}`, [...query.parameters]);
    const { rows } = await connection.executeQuery<Explained>(explain);
    const cost = rows[0]?.["QUERY PLAN"][0]?.Plan["Total Cost"] ?? 0;
    if (cost > MAX_COST) throw new TooCostlyError(cost);
    return connection.executeQuery(query);
  },
  streamQuery: (query, size) => connection.streamQuery(query, size),
});

interface Explained {
  "QUERY PLAN": { Plan: { "Total Cost": number } }[];
}
