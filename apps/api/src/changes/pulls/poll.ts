import { GroveError } from "@grove/auth";
import type { CheckedPull, Codehost } from "@grove/integrations";
import { messageOf } from "@grove/schemas";
import { sql } from "kysely";
import { callProvider } from "../../integrations/call";
import { FALLBACK_POLL_MS } from "../../lib/fallbackPoll";
import { milliseconds } from "../../lib/interval";
import { startWorkLoop } from "../../lib/workLoop";
import type { Services } from "../../services";
import { endExpiredMerges, followMerge } from "../merges/followMerge";
import { ACTIVE_MS, JUST_CHANGED_MS, type PullPollTimes, pullPollTimes } from "./pollTimes";
import { findPullTarget, type PullTarget } from "./pullTarget";
import { storeCheckedPull, storePull } from "./store";

/** The most pull requests that one process reads at the same time. */
const BATCH = 10;
interface DuePull {
  organization_id: string;
  change_id: string;
  number: number;
  is_active: boolean;
  read_at: string;
}

/** @param readAt when the read began */
type OnChecked = (
  services: Services,
  target: PullTarget,
  checked: CheckedPull,
  readAt: string,
) => Promise<void>;

/**
 * Reads the open pull requests of changes from their code hosts, so that a merge or a failed check is detected
 * even if no webhook reaches this server, as in local mode. Any number of processes may do so.
 * @param onChecked called after a pull request was recorded with its checks
 * @returns a function that stops the polling, and resolves when the reads in progress are done
 */
export function startPullPolling(services: Services, onChecked: OnChecked): () => Promise<void> {
  const times = { ...pullPollTimes, ...services.config.pullPolling };
  return startWorkLoop(services, {
    channel: "pull_due",
    run: () => pollDue(services, times, onChecked),
    failure: "could not read the pull requests that are due",
    maxWaitMs: Math.min(FALLBACK_POLL_MS, times.activeMs),
  });
}

/** Reads all pull requests that are due. @returns milliseconds until the next is due; null if there is none */
async function pollDue(
  services: Services,
  times: PullPollTimes,
  onChecked: OnChecked,
): Promise<number | null> {
  const { database, draining, log } = services;
  while (!draining.aborted) {
    await endExpiredMerges(services);
    const due = await takeDue(services, times);
    if (due.length === 0) break;
    await Promise.all(
      due.map((pull) =>
        poll(services, pull, onChecked).catch((error) => {
          const level = error instanceof GroveError ? "info" : "error";
          log[level]({ changeId: pull.change_id, reason: messageOf(error) }, "could not read a pull request");
        }),
      ),
    );
  }
  const { rows } = await sql<{ wait: number | null }>`
    select (extract(epoch from min(poll_at) - now()) * 1000)::float8 as wait
    from pull_requests where state in ('open', 'draft') and change_id is not null`.execute(database.db);
  return rows[0]?.wait ?? null;
}

/** Whether the row `pull` has a merge request that has not ended. */
const isMerging = sql<boolean>`exists (
  select from merge_intents as intent
  where intent.organization_id = pull.organization_id and intent.change_id = pull.change_id
    and intent.status in ('waiting', 'running', 'queued'))`;

/** Whether the row `pull` is likely to change soon, so that it is read most often. */
const isChecking = sql<boolean>`(pull.checks = 'running' or pull.mergeable = 'checking'
  or pull.is_queued or pull.checks_reported_at is not null or ${isMerging})`;

/** Whether a read includes the checks, which take several requests. */
const isActive = sql<boolean>`(pull.updated_at > now() - ${milliseconds(ACTIVE_MS)} or ${isChecking})`;

/** Returns pull requests that are due, and schedules their next read, so that no other process reads them now. */
async function takeDue(
  { database }: Services,
  { checkingMs, activeMs, idleMs }: PullPollTimes,
): Promise<DuePull[]> {
  const { rows } = await sql<DuePull>`
    with still_open as (
      select organization_id, id from pull_requests
      where state in ('open', 'draft') and change_id is not null and poll_at <= now()
      order by poll_at limit ${BATCH}
      for update skip locked),
    -- A requested merge may have taken effect, or someone else may have merged or closed the pull request.
    ended as (
      select pull.organization_id, pull.id from merge_intents as intent
      join pull_requests as pull
        on pull.organization_id = intent.organization_id and pull.change_id = intent.change_id
        and pull.number = intent.number
      where intent.status in ('waiting', 'running', 'queued') and pull.state in ('merged', 'closed') and pull.poll_at <= now()
      limit ${BATCH}
      for update of pull skip locked),
    due as (select * from still_open union select * from ended)
    update pull_requests as pull
    set poll_at = now() + case
      when ${isChecking}
        or pull.updated_at > now() - ${milliseconds(JUST_CHANGED_MS)} then ${milliseconds(checkingMs)}
      when ${isActive} then ${milliseconds(activeMs)}
      else ${milliseconds(idleMs)} end
    from due where pull.organization_id = due.organization_id and pull.id = due.id
    returning pull.organization_id, pull.change_id, pull.number, ${isActive} as is_active, now() as read_at`.execute(
    database.db,
  );
  return rows;
}

/** @throws {GroveError} what {@link findPullTarget} and `callProvider` throw */
async function poll(services: Services, due: DuePull, onChecked: OnChecked): Promise<void> {
  const { organization_id: organizationId, change_id: changeId, number } = due;
  const target = await findPullTarget(services.database.db, { organizationId, changeId });
  const { connection, repo } = target;
  const call = <Read>(read: (port: Codehost) => Promise<Read>) =>
    callProvider(services, "codehost", connection, read);
  if (!due.is_active) return storePull(services, target, await call((port) => port.readPull(repo, number)));
  const found = await call((port) => port.pullStatus(repo, number));
  await storeCheckedPull(services, target, found);
  await sql`
    update pull_requests set checks_reported_at = null
    where organization_id = ${organizationId} and change_id = ${changeId} and number = ${number}
      and checks_reported_at <= ${due.read_at}`.execute(services.database.db);
  await onChecked(services, target, found, due.read_at);
  await followMerge(services, target, found);
}
