import { GroveError } from "@grove/auth";
import { messageOf } from "@grove/schemas";
import { sql } from "kysely";
import { callProvider } from "../../integrations/call";
import { milliseconds } from "../../lib/interval";
import { FALLBACK_POLL_MS, WakeUp } from "../../lib/wakeUp";
import type { Services } from "../../services";
import { type PullPollTimes, pullPollTimes } from "./pollTimes";
import { storePull } from "./store";
import { targetOf } from "./target";

/** The most pull requests that one process reads at the same time. */
const BATCH = 10;
/** Another process may be reading what is due. */
const BUSY_MS = 1_000;

interface DuePull {
  organization_id: string;
  change_id: string;
  number: number;
}

/**
 * Reads the open pull requests of changes from their code hosts, so that a merge there completes its task even if no
 * webhook reaches this server, as in local mode. Any number of processes may do so.
 * @returns a function that stops it, once the reads in progress are done
 */
export function startPullPolling(services: Services): () => Promise<void> {
  const { draining, log, config } = services;
  const times = { ...pullPollTimes, ...config.pullPolling };
  const wakeUp = new WakeUp();
  const run = async () => {
    while (!draining.aborted) {
      const wait = await pollDue(services, times).catch((error) => {
        if (!draining.aborted) log.error({ err: error }, "could not read the pull requests that are due");
        return FALLBACK_POLL_MS;
      });
      await wakeUp.wait(wait, [draining]);
    }
  };
  const running = run();
  return () => running;
}

/** Reads all pull requests that are due. @returns milliseconds until the next is due */
async function pollDue(services: Services, times: PullPollTimes): Promise<number> {
  const { database, draining, log } = services;
  while (!draining.aborted) {
    const due = await takeDue(services, times);
    if (due.length === 0) break;
    await Promise.all(
      due.map((pull) =>
        poll(services, pull).catch((error) => {
          const level = error instanceof GroveError ? "info" : "error";
          log[level]({ changeId: pull.change_id, reason: messageOf(error) }, "could not read a pull request");
        }),
      ),
    );
  }
  const { rows } = await sql<{ wait: number | null }>`
    select (extract(epoch from min(poll_at) - now()) * 1000)::float8 as wait
    from pull_requests where state in ('open', 'draft') and change_id is not null`.execute(database.db);
  const [shortest, longest] = [Math.min(BUSY_MS, times.activeMs), Math.min(FALLBACK_POLL_MS, times.activeMs)];
  return Math.min(Math.max(rows[0]?.wait ?? longest, shortest), longest);
}

/** Returns pull requests that are due, and schedules their next read, so that no other process reads them now. */
async function takeDue({ database }: Services, { activeMs, idleMs }: PullPollTimes): Promise<DuePull[]> {
  const { rows } = await sql<DuePull>`
    with due as (
      select organization_id, id from pull_requests
      where state in ('open', 'draft') and change_id is not null and poll_at <= now()
      order by poll_at limit ${BATCH}
      for update skip locked)
    update pull_requests as pull
    set poll_at = now() + case when pull.updated_at > now() - interval '1 day'
      then ${milliseconds(activeMs)} else ${milliseconds(idleMs)} end
    from due where pull.organization_id = due.organization_id and pull.id = due.id
    returning pull.organization_id, pull.change_id, pull.number`.execute(database.db);
  return rows;
}

/** @throws {GroveError} what {@link targetOf} and `callProvider` throw */
async function poll(services: Services, { organization_id, change_id, number }: DuePull): Promise<void> {
  const target = await targetOf(services.database.db, {
    organizationId: organization_id,
    changeId: change_id,
  });
  const { connection, repo } = target;
  const pull = await callProvider(services, "codehost", connection, (port) => port.readPull(repo, number));
  await storePull(services, target, pull);
}
