import { type Database, type GroveDatabase, weekRange } from "@grove/db";
import type { FastifyBaseLogger } from "fastify";
import { type Kysely, sql } from "kysely";
import type { Lease } from "../instance/lease";
import { measureBatch } from "../metrics/batches";
import type { Metrics } from "../metrics/metrics";
import type { CommandRow } from "./command";
import { Completions } from "./end/completions";
import { PresenceWriter } from "./stream/presenceWriter";
import { Streams } from "./stream/streams";
import { Abandoned } from "./submit/abandoned";
import { batchInserts } from "./submit/insert";
import { SessionControlAudit } from "./submit/sessionControlAudit";

/**
 * The dispatch of one process. The rows of `device_commands` are the truth; this object holds the in-process shortcuts
 * beside them, and the batched statements of the hot path.
 *
 * The life of a command:
 * 1. `submit/execute.ts` makes an id and listens for its end. `submit/submit.ts` submits it. The statement of
 *    `submit/insert.ts` makes the row: `claimed` for the device's stream if the device is online and nothing is queued,
 *    otherwise `queued`. If no row was made, an earlier request with the same key has made the command
 *    (`submit/idempotentCommand.ts`), or `submit/refusals.ts` finds the reason. If the connection to the database was
 *    lost before it responded, `submit/retryUncertain.ts` submits it again.
 * 2. A stream on this process is given the command directly (`stream/inbox.ts`). Any other process is woken by an
 *    announcement, and reads the row.
 * 3. `stream/deviceStream.ts` sends the command to the device. If the device neither begins nor ends it within 5
 *    seconds, the stream counts as dead and ends. `stream/openRows.ts` reads what is open when a device connects or is
 *    woken.
 * 4. The device reports start, progress and end to `end/report.ts`. `end/completions.ts` settles the row, if its
 *    journal and its state still match, and hands the end to callers on this process.
 * 5. They wait in `end/settledWait.ts`. Callers elsewhere are woken by an announcement, and read the row (there, or in
 *    `end/watchCommand.ts`).
 * 6. Every end that a device did not report goes through `settleCommands` in packages/db: `end/cancel.ts`,
 *    `end/sweep.ts`, and `stream/connect.ts` for a device that comes back with another journal.
 */
export class Dispatch {
  readonly streams = new Streams();
  readonly abandoned = new Abandoned();
  readonly sessionControlAudit = new SessionControlAudit();
  readonly presence: PresenceWriter;
  /** Makes a command's row, in a batch; see `submit/insert.ts`. */
  readonly insert: ReturnType<typeof batchInserts>;
  readonly completions: Completions;
  readonly #db: Kysely<Database>;

  constructor(
    { reserved: db, notifier }: Pick<GroveDatabase, "reserved" | "notifier">,
    lease: Lease,
    log: FastifyBaseLogger,
    metrics?: Metrics,
  ) {
    this.#db = db;
    this.presence = new PresenceWriter(db, lease, this.streams, log);
    this.insert = batchInserts(db, notifier, measureBatch("submit", metrics));
    this.completions = new Completions(db, notifier, measureBatch("complete", metrics));
  }

  /** Reads a command's row; undefined if the organization has no such command. */
  async read(organizationId: string, id: string): Promise<CommandRow | undefined> {
    const { rows } = await sql<CommandRow>`select * from device_commands
      where organization_id = ${organizationId} and id = ${id} and ${weekRange("id", [id])}`.execute(
      this.#db,
    );
    return rows[0];
  }
}
