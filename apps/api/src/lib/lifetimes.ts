import {
  COMMAND_DAYS,
  DELETED_TASK_DAYS,
  DELIVERY_DAYS,
  INVITATION_DAYS,
  keptMs,
  PAIRING_MINUTES,
  REQUEST_TEXT_KEPT_MS,
} from "@grove/schemas";
import { sql } from "kysely";
import { milliseconds } from "./interval";

/** How many days single analytics events are kept by default. */
export const ANALYTICS_DAYS = 90;

const days = (count: number) => sql`${sql.lit(`${count} days`)}::interval`;

/**
 * How long the API keeps data that it does not keep forever, as SQL intervals. `maintenance/` deletes it.
 * Data that must disappear on time is also filtered when it is read.
 */
export const lifetimes = {
  /** A machine that waits for approval. */
  pairing: sql`${sql.lit(`${PAIRING_MINUTES} minutes`)}::interval`,
  /** A token with which a machine registers itself. */
  registration: sql`interval '1 hour'`,
  /** A settled command. */
  command: days(COMMAND_DAYS),
  /** A command that reads an agent's screen. */
  screen: milliseconds(keptMs("get_agent_screen")),
  /** The result of a command that shows people's files, such as the difference of a worktree. */
  files: milliseconds(keptMs("get_workspace_diff")),
  /** A result of a command that is larger than others. */
  largeResult: sql`interval '7 days'`,
  /** The whole output of an agent session that has ended; after that, only its end. */
  sessionOutput: sql`interval '7 days'`,
  /** The text of an agent's settled request. The request itself is kept as long as its session. */
  requestText: milliseconds(REQUEST_TEXT_KEPT_MS),
  /** A deleted task, which can be restored until then. */
  deletedTask: days(DELETED_TASK_DAYS),
  /** An instance with an expired lease. Kept because its row dates when its devices were last seen. */
  instance: sql`interval '7 days'`,
  /** An agent session that has ended, with its output. */
  agentSession: sql`interval '30 days'`,
  /** A change without a task and a workspace, and a pull request without a change, since they last changed. */
  change: sql`interval '90 days'`,
  /** A merge that waited for checks, since it ended. */
  mergeIntent: sql`interval '30 days'`,
  /** A review comment that was not sent, since its last edit. Others are kept as long as their change. */
  reviewDraft: sql`interval '30 days'`,
  /** A mark of the version of a change that a person has seen. */
  reviewMark: sql`interval '90 days'`,
  /** A webhook's delivery that was processed or given up. */
  delivery: days(DELIVERY_DAYS),
  /** A notification, sent or not. */
  notification: sql`interval '7 days'`,
  /** A browser's push subscription that has shown nothing, and was not renewed by the console. */
  pushSubscription: sql`interval '90 days'`,
  /** An event of an organization, which a watcher may resume from. */
  organizationEvent: sql`interval '7 days'`,
  /** An idempotency key. */
  idempotencyKey: sql`interval '24 hours'`,
  /** A pending invitation. */
  invitation: days(INVITATION_DAYS),
  /** An authorization at a provider that was begun and not finished. */
  oauthState: sql`interval '10 minutes'`,
};
