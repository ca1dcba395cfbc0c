import { batchedStatement, type Database } from "@grove/db";
import { type Kysely, sql } from "kysely";
import type { CommandRow } from "./command";

/**
 * Reads a command's row, or undefined if the organization has no such command. Concurrent reads are one statement.
 * With the caller on one instance and the device on another, a command needs two reads; `pnpm bench instances`
 * measures them.
 */
export const batchReads = (db: Kysely<Database>) =>
  batchedStatement<{ organization_id: string; id: string }, CommandRow & { n: number }>(
    db,
    { organization_id: "uuid", id: "uuid" },
    (given) => sql`
      with ${given}
      select n, command.* from given join device_commands as command using (organization_id, id)`,
  );
