import type { Database } from "@grove/db";
import type { CheckedPull } from "@grove/integrations";
import type { HeldReason, PullStatus } from "@grove/schemas";
import { type Kysely, sql } from "kysely";
import { callProvider } from "../../integrations/call";
import { linkOf } from "../../integrations/taskTexts";
import type { Services } from "../../services";
import { lastMergeIntent } from "../merges/requests";
import type { ChangeKey } from "../row";
import { findPullTarget, type PullTarget } from "./pullTarget";
import { storeCheckedPull } from "./store";

/** How long the viewers of a pull request share one response of its code host. */
const SHARED_MS = 3_000;

interface SharedRead {
  at: number;
  answer: Promise<CheckedPull | undefined>;
}
const sharedReads = new WeakMap<Services, Map<string, SharedRead>>();

/**
 * Returns the pull request of a change as its code host describes it, at most {@link SHARED_MS} ago.
 * @returns null if there is none
 * @throws {GroveError} what {@link findPullTarget} and `callProvider` throw
 */
export async function pullStatusOf(services: Services, changeKey: ChangeKey): Promise<PullStatus | null> {
  const target = await findPullTarget(services.database.db, changeKey);
  const found = await readShared(services, target);
  return found ? toStatus(services.database.db, changeKey, found) : null;
}

/** Reads the pull request of a change, or returns the answer to a read that began at most {@link SHARED_MS} ago. */
export function readShared(services: Services, target: PullTarget): SharedRead["answer"] {
  const now = performance.now();
  const answers = sharedReads.get(services) ?? new Map<string, SharedRead>();
  sharedReads.set(services, answers);
  for (const [key, { at }] of answers) if (now - at > SHARED_MS) answers.delete(key);
  const key = `${target.organizationId} ${target.changeId}`;
  const existing = answers.get(key);
  if (existing) return existing.answer;
  const answer = readPull(services, target);
  answers.set(key, { at: now, answer });
  answer.catch(() => answers.delete(key));
  return answer;
}

/** Makes the next call read the state from the code host again. */
export const forgetAnswer = (services: Services, { organizationId, changeId }: ChangeKey): void => {
  sharedReads.get(services)?.delete(`${organizationId} ${changeId}`);
};

/**
 * Reads the newest pull request of a change from its code host, and records it. A pull request that was
 * opened outside Grove is found by its branch.
 * @throws {GroveError} what `callProvider` throws
 */
export async function readPull(services: Services, target: PullTarget): Promise<CheckedPull | undefined> {
  const { connection, repo, branch } = target;
  const known = await newestNumber(services.database.db, target);
  const found = await callProvider(services, "codehost", connection, async (port) => {
    const number = known ?? (await port.findPull(repo, { head: branch }))?.number;
    return number === undefined ? undefined : port.pullStatus(repo, number);
  });
  if (found) await storeCheckedPull(services, target, found);
  return found;
}

/** The number of the newest pull request of the change. */
async function newestNumber(
  db: Kysely<Database>,
  { organizationId, changeId }: ChangeKey,
): Promise<number | undefined> {
  const row = await db
    .selectFrom("pull_requests")
    .select("number")
    .where("organization_id", "=", organizationId)
    .where("change_id", "=", changeId)
    .orderBy("number", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.number;
}

/** Converts a pull request to the form that the API returns, with the approvals of its newest commit. */
export async function toStatus(
  db: Kysely<Database>,
  changeKey: ChangeKey,
  { pull, ...checked }: CheckedPull,
): Promise<PullStatus> {
  const approvals = await selectApprovals(db, changeKey, pull).execute();
  const checksRound = await readChecksRound(db, changeKey, pull);
  return {
    ...checked,
    number: pull.number,
    title: pull.title,
    url: linkOf(pull.url),
    state: pull.state,
    head: pull.head,
    base: pull.baseBranch,
    checks: checked.checks.map((check) => ({ ...check, url: check.url === null ? null : linkOf(check.url) })),
    approvals: approvals.map(({ user_id, name, created_at }) => ({ userId: user_id, name, at: created_at })),
    mergeIntent: await lastMergeIntent(db, changeKey, pull.number),
    ...checksRound,
  };
}

/** Reads the round that sent a commit's failed checks to an agent, and the reason why a person must act on them. */
async function readChecksRound(
  db: Kysely<Database>,
  { organizationId, changeId }: ChangeKey,
  { number, head }: CheckedPull["pull"],
): Promise<Pick<PullStatus, "checksRound" | "heldReason">> {
  const { rows } = await sql<{
    held_checks_reason: HeldReason | null;
    number: number | null;
    max_rounds: number;
  }>`
    select case when pull.held_checks_head = ${head} then pull.held_checks_reason end as held_checks_reason,
      (select count(*)::integer from review_rounds as earlier
        where earlier.organization_id = round.organization_id and earlier.change_id = round.change_id
          and earlier.kind <> 'review' and earlier.number <= round.number having round.number is not null) as number,
      project.max_rounds
    from pull_requests as pull
    join changes as change on change.organization_id = pull.organization_id and change.id = pull.change_id
    join projects as project
      on project.organization_id = change.organization_id and project.id = change.project_id
    left join review_rounds as round
      on round.organization_id = pull.organization_id and round.change_id = pull.change_id
      and round.kind = 'checks' and round.head = ${head}
    where pull.organization_id = ${organizationId} and pull.change_id = ${changeId}
      and pull.number = ${number}`.execute(db);
  const [row] = rows;
  if (!row) return { checksRound: null, heldReason: null };
  const { held_checks_reason: heldReason, number: round, max_rounds } = row;
  return {
    heldReason,
    checksRound: round === null ? null : { number: round, of: Math.max(round, max_rounds) },
  };
}

/** Selects the approvals of a pull request's newest commit for its base, by current members. */
export const selectApprovals = (
  db: Kysely<Database>,
  { organizationId, changeId }: ChangeKey,
  { head, baseBranch }: Pick<CheckedPull["pull"], "head" | "baseBranch">,
) =>
  db
    .selectFrom("approvals")
    .innerJoin("users", "users.id", "approvals.user_id")
    .innerJoin("memberships", (join) =>
      join
        .onRef("memberships.organization_id", "=", "approvals.organization_id")
        .onRef("memberships.user_id", "=", "approvals.user_id"),
    )
    .select(["approvals.user_id", "users.name", "approvals.created_at"])
    .where("approvals.organization_id", "=", organizationId)
    .where("approvals.change_id", "=", changeId)
    .where("approvals.head", "=", head)
    .where("approvals.base", "=", baseBranch)
    .orderBy("approvals.created_at");
