import { keptMs } from "@grove/schemas";
import { sql } from "kysely";

/** How many days a deleted task can be restored. */
export const DELETED_TASK_DAYS = 30;

/** How many days single analytics events are kept by default. */
export const ANALYTICS_DAYS = 90;

/** How many days an invitation can be accepted. */
export const INVITATION_DAYS = 7;

const ms = (count: number) => sql`${sql.lit(`${count} milliseconds`)}::interval`;
const days = (count: number) => sql`${sql.lit(`${count} days`)}::interval`;

/**
 * How long the API keeps data that it does not keep forever, as SQL intervals. `maintenance/` deletes it.
 * Data that must disappear on time is also filtered when it is read.
 */
export const lifetimes = {
  /** A machine that waits for approval. */
  pairing: sql`interval '10 minutes'`,
  /** A token with which a machine registers itself. */
  registration: sql`interval '1 hour'`,
  /** A settled command. */
  command: sql`interval '30 days'`,
  /** A read of an agent's screen, which is a command. */
  screen: ms(keptMs("get_agent_screen")),
  /** The difference of a worktree, in the result of a command. */
  diff: ms(keptMs("get_workspace_diff")),
  /** A result of a command that is larger than others. */
  largeResult: sql`interval '7 days'`,
  /** The whole output of an agent session that has ended; after that, only its end. */
  sessionOutput: sql`interval '7 days'`,
  /** A deleted task, which can be restored until then. */
  deletedTask: days(DELETED_TASK_DAYS),
  /** An instance whose lease has expired: its row gives the time at which its devices were last seen. */
  instance: sql`interval '7 days'`,
  /** An agent session that has ended, with its output. */
  agentSession: sql`interval '30 days'`,
  /** A webhook's delivery that was processed or given up. */
  delivery: sql`interval '30 days'`,
  /** An event of an organization, which a watcher may resume from. */
  organizationEvent: sql`interval '7 days'`,
  /** An idempotency key. */
  idempotencyKey: sql`interval '24 hours'`,
  /** A pending invitation. */
  invitation: days(INVITATION_DAYS),
  /** An authorization at a provider that was begun and not finished. */
  oauthState: sql`interval '10 minutes'`,
};
