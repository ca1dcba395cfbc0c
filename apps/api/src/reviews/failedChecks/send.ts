import { type Database, newId } from "@grove/db";
import { type CheckedPull, hasRunAndFailed } from "@grove/integrations";
import type { ChecksRoundContent, HeldReason } from "@grove/schemas";
import { sql, type Transaction } from "kysely";
import { continueWork } from "../../changes/finish";
import type { PullTarget } from "../../changes/pulls/pullTarget";
import { decidingChecks } from "../../changes/pulls/store";
import { touchChange } from "../../changes/touch";
import { enqueueCommand } from "../../dispatch/submit/enqueue";
import type { Services } from "../../services";
import { lockChange } from "../comments";
import { nextRoundNumber, refreshRounds } from "../rounds";
import { type Agent, findAgent } from "./agent";
import { type Failure, readFailure } from "./failure";
import { holdBackChecks } from "./holdBackChecks";
import { type HeadKey, readRoundBudget, sentRound } from "./rounds";

/** How long a round waits for a device that is offline. */
const EXPIRES_AT = sql<string>`now() + interval '10 minutes'`;

/**
 * Sends the failed checks of a pull request's newest commit to the agent in the change's workspace, once for each
 * commit, and as often as the project allows. Otherwise notifies people, once for each commit. Waits for running checks
 * and for an agent that works or asks: then the next read of the pull request tries again.
 */
export async function sendFailedChecks(
  services: Services,
  target: PullTarget,
  { pull, checks }: CheckedPull,
  readAt: string,
): Promise<void> {
  const deciding = decidingChecks(checks);
  const failed = deciding.filter(({ state }) => state === "failed");
  const isOpen = pull.state === "open" || pull.state === "draft";
  if (!isOpen || failed.length === 0 || deciding.some(({ state }) => state === "running")) return;
  const { db } = services.database;
  const { organizationId, changeId } = target;
  const key = { organizationId, changeId, head: pull.head, readAt };
  await refreshRounds(db, key);
  const sent = await sentRound(db, key);
  const isFork = pull.headBranch !== target.branch;
  const failures = failed.filter(hasRunAndFailed);
  const reason = sent ? sent.reason : await send(services, target, { ...key, isFork, failures });
  if (reason) await holdBackChecks(db, { ...key, reason });
}

interface Send extends HeadKey {
  isFork: boolean;
  failures: CheckedPull["checks"];
}

/** @returns why a person must act; undefined if the round was sent, or if the agent is busy */
async function send(
  services: Services,
  target: PullTarget,
  { isFork, failures, ...key }: Send,
): Promise<HeldReason | undefined> {
  const { db } = services.database;
  if (isFork) return "fork";
  if (failures.length === 0) return "not_a_failure";
  const refusal = await readRoundBudget(db, key);
  if (refusal.reason) return refusal.reason;
  const agent = await findAgent(db, key);
  if (agent === "busy") return undefined;
  if (typeof agent === "string") return agent;
  const failure = await readFailure(services, target, failures);
  return db.transaction().execute((trx) => insertRound(trx, target, { ...key, agent, failure }));
}

/** Inserts the round and its command, unless another process has. @returns why a person must act */
async function insertRound(
  trx: Transaction<Database>,
  { branch }: PullTarget,
  { agent, failure, ...key }: HeadKey & { agent: Agent; failure: Failure },
): Promise<HeldReason | undefined> {
  const { organizationId, changeId, head } = key;
  await lockChange(trx, key);
  if (await sentRound(trx, key)) return undefined;
  const { reason, number, of, isRed, lastFingerprint } = await readRoundBudget(trx, key);
  // The pull request has another commit by now, or its checks run again.
  if (!isRed) return undefined;
  if (reason) return reason;
  if (lastFingerprint === failure.fingerprint) return "same_failure";
  const [id, commandId] = [newId(), newId()];
  await trx
    .insertInto("review_rounds")
    .values({
      id,
      organization_id: organizationId,
      change_id: changeId,
      number: nextRoundNumber(key),
      kind: "checks",
      head,
      fingerprint: failure.fingerprint,
      session_id: agent.sessionId,
      command_id: commandId,
    })
    .execute();
  await continueWork(trx, key);
  await touchChange(trx, key);
  const { checks, more } = failure;
  const round: ChecksRoundContent = { id, number, of, change: branch, head, checks, more };
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
