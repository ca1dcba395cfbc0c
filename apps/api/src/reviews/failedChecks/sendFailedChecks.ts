import { type CheckedPull, hasRunAndFailed } from "@grove/integrations";
import type { HeldReason } from "@grove/schemas";
import type { PullTarget } from "../../changes/pulls/pullTarget";
import { decidingChecks } from "../../changes/pulls/store";
import type { Services } from "../../services";
import { refreshRounds } from "../refreshRounds";
import type { HeadKey } from "./failedHead";
import { readFailure } from "./failure";
import { holdBackChecks } from "./holdBackChecks";
import { sendFailure } from "./sendFailure";
import { sentRound } from "./sentRound";

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
  const key: HeadKey = { organizationId, changeId, kind: "checks", head: pull.head, readAt };
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
  if (isFork) return "fork";
  if (failures.length === 0) return "not_a_failure";
  const read = () => readFailure(services, target, failures);
  return sendFailure(services.database.db, { ...key, branch: target.branch, readFailure: read });
}
