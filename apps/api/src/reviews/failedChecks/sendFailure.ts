import { type Database, newId } from "@grove/db";
import type { ChecksRoundContent, HeldReason } from "@grove/schemas";
import { type Kysely, sql, type Transaction } from "kysely";
import { continueWork } from "../../changes/finish";
import { touchChange } from "../../changes/touch";
import { enqueueCommand } from "../../dispatch/submit/enqueue";
import { lockChange } from "../comments";
import { nextRoundNumber } from "../rounds";
import { type Agent, findAgent } from "./agent";
import type { Failure } from "./failure";
import { type HeadKey, readRoundBudget, sentRound } from "./rounds";

/** How long a round waits for a device that is offline. */
const EXPIRES_AT = sql<string>`now() + interval '10 minutes'`;

interface Sending extends HeadKey {
  /** The change's branch. */
  branch: string;
  /** Called if an agent can take the failure now. */
  readFailure: () => Promise<Failure>;
}

/**
 * Sends the failed checks of a commit to the change's agent as a round.
 * @returns why a person must act; undefined if the round was sent, or if the agent is busy
 */
export async function sendFailure(
  db: Kysely<Database>,
  { branch, readFailure, ...key }: Sending,
): Promise<HeldReason | undefined> {
  const { reason } = await readRoundBudget(db, key);
  if (reason) return reason;
  const agent = await findAgent(db, key);
  if (agent === "busy") return undefined;
  if (typeof agent === "string") return agent;
  const failure = await readFailure();
  return db.transaction().execute((trx) => insertRound(trx, { ...key, branch, agent, failure }));
}

/** Inserts the round and its command, unless another process has. @returns why a person must act */
async function insertRound(
  trx: Transaction<Database>,
  { branch, agent, failure, ...key }: HeadKey & { branch: string; agent: Agent; failure: Failure },
): Promise<HeldReason | undefined> {
  const { organizationId, changeId, kind, head } = key;
  await lockChange(trx, key);
  if (await sentRound(trx, key)) return undefined;
  const { reason, number, maxRounds, hasFailedChecks, fingerprints } = await readRoundBudget(trx, key);
  // The pull request has another commit by now, or its checks run again.
  if (!hasFailedChecks) return undefined;
  if (reason) return reason;
  if (fingerprints.includes(failure.fingerprint)) return "same_failure";
  const [id, commandId] = [newId(), newId()];
  await trx
    .insertInto("review_rounds")
    .values({
      id,
      organization_id: organizationId,
      change_id: changeId,
      number: nextRoundNumber(key),
      kind,
      head,
      fingerprint: failure.fingerprint,
      session_id: agent.sessionId,
      command_id: commandId,
    })
    .execute();
  await continueWork(trx, key);
  await touchChange(trx, key);
  const { checks, more } = failure;
  const round: ChecksRoundContent = { id, kind, number, of: maxRounds, change: branch, head, checks, more };
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
