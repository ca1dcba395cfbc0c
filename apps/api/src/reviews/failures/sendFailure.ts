import { type Database, newId } from "@grove/db";
import type { FailureRoundContent, HeldReason } from "@grove/schemas";
import { type Kysely, sql, type Transaction } from "kysely";
import { continueWork } from "../../changes/finish";
import { touchChange } from "../../changes/touch";
import { enqueueCommand } from "../../dispatch/submit/enqueue";
import { lockChange } from "../comments";
import { nextRoundNumber } from "../nextRoundNumber";
import { type Agent, findAgent } from "./agent";
import type { FailedHead } from "./failedHead";
import type { Failure } from "./failure";
import { readRoundBudget } from "./roundBudget";
import { sentRound } from "./sentRound";

/** How long a round waits for a device that is offline. */
const EXPIRES_AT = sql<string>`now() + interval '10 minutes'`;

/**
 * Sends the failed checks, or the failed gate, of a commit to the change's agent as a round.
 * @returns why a person must act; undefined if the round was sent, or if the agent is busy
 */
export async function sendFailure(db: Kysely<Database>, failed: FailedHead): Promise<HeldReason | undefined> {
  const refusal = await readRoundBudget(db, failed);
  if (refusal.reason) return refusal.reason;
  const agent = await findAgent(db, failed);
  if (agent === "busy") return undefined;
  if (typeof agent === "string") return agent;
  const failure = await failed.readFailure();
  return db.transaction().execute((trx) => insertRound(trx, failed, agent, failure));
}

/** Inserts the round and its command, unless another process has. @returns why a person must act */
async function insertRound(
  trx: Transaction<Database>,
  failed: FailedHead,
  agent: Agent,
  failure: Failure,
): Promise<HeldReason | undefined> {
  const { organizationId, changeId, kind, head, branch } = failed;
  await lockChange(trx, failed);
  if (await sentRound(trx, failed)) return undefined;
  const { reason, number, maxRounds, hasFailed, fingerprints } = await readRoundBudget(trx, failed);
  // The pull request has another commit by now, or they run again.
  if (!hasFailed) return undefined;
  if (reason) return reason;
  if (fingerprints.includes(failure.fingerprint)) return "same_failure";
  const [id, commandId] = [newId(), newId()];
  await trx
    .insertInto("review_rounds")
    .values({
      id,
      organization_id: organizationId,
      change_id: changeId,
      number: nextRoundNumber(failed),
      kind,
      head,
      fingerprint: failure.fingerprint,
      session_id: agent.sessionId,
      command_id: commandId,
    })
    .execute();
  await continueWork(trx, failed);
  await touchChange(trx, failed);
  const { failed: items, more } = failure;
  const round: FailureRoundContent = {
    id,
    kind,
    number,
    of: maxRounds,
    change: branch,
    head,
    failed: items,
    more,
  };
  await enqueueCommand(
    trx,
    { kind: "session", user: { id: agent.userId } },
    {
      id: commandId,
      organizationId,
      deviceId: agent.deviceId,
      tool: "send_review_round",
      params: { sessionId: agent.sessionId, round },
      expiresAt: EXPIRES_AT,
    },
  );
  return undefined;
}
