import { sql } from "kysely";

/** How far a code host's clock may be behind. */
export const CLOCK_SKEW = sql`interval '1 minute'`;
