import type { Database } from "@grove/db";
import type { Kysely } from "kysely";
import { refreshRounds } from "../refreshRounds";
import type { FailedHead } from "./failedHead";
import { holdBack } from "./holdBack";
import { sendFailure } from "./sendFailure";
import { sentRound } from "./sentRound";

/**
 * Sends failed checks or a failed gate to the agent in the change's workspace, once for each commit, and as often as
 * the project allows. Otherwise holds them back for a person. Changes nothing while the agent works or asks: the next
 * call tries again.
 */
export async function sendOrHoldBack(db: Kysely<Database>, failed: FailedHead): Promise<void> {
  await refreshRounds(db, failed);
  const sent = await sentRound(db, failed);
  const reason = sent ? sent.reason : (failed.notForAgents ?? (await sendFailure(db, failed)));
  if (reason) await holdBack(db, failed, reason);
}
