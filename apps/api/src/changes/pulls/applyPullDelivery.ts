import type { Database, IntegrationEventTable } from "@grove/db";
import type { DeliveredChange } from "@grove/integrations";
import { type Selectable, sql, type Transaction } from "kysely";
import { type KnownRepo, repositoryOf } from "../../integrations/repositories";
import { linkOf } from "../../integrations/taskTexts";
import { firstStatusOf } from "../../tasks/lockReferences";
import type { ChangedTasks } from "../changedTasks";
import { completeTasks, lockTasks } from "../complete";
import {
  type ChangedPull,
  linkNamedChange,
  markDone,
  type Reach,
  reachOf,
  recordPullRequest,
} from "../pullRequests";
import { isRevert } from "./closingKeywords";
import { namedTasks } from "./namedTasks";
import { schedulePoll } from "./schedulePoll";

type EventRow = Selectable<IntegrationEventTable>;
type Pull = Extract<DeliveredChange, { kind: "pull_request_changed" }>;

/** The assumed default branches of a repository whose default branch is unknown. */
const FALLBACK_DEFAULT_BRANCHES = ["main", "master"];

/**
 * Applies what a delivery reports of a pull request: records it, links it to the change of its branch, and completes
 * the tasks whose changes have all reached a done branch, apart from closed changes.
 */
export async function applyPullDelivery(
  changed: ChangedTasks,
  trx: Transaction<Database>,
  event: EventRow,
  pull: Pull,
): Promise<void> {
  const { organization_id: organizationId } = event;
  // Locked before the tasks, as in every transaction that changes the status of a task.
  const status = await firstStatusOf(trx, organizationId, "completed");
  const repo = await repositoryOf(trx, event, pull.repo);
  if (!repo) return;
  for (const id of repo.movedTasks) changed.touch(id);
  await applyPull(changed, trx, { organizationId, status, repo, pull, receivedAt: event.created_at });
  // The delivery does not contain the checks.
  await schedulePoll(trx, { organizationId, repositoryId: repo.id }, sql`number = ${pull.number}`);
}

interface KnownPull {
  organizationId: string;
  /** The status that {@link completeTasks} gives to the tasks. */
  status: string | undefined;
  repo: KnownRepo;
  pull: Pull;
  /** When this server received the description of the pull request. */
  receivedAt: Date | string;
}

/** Applies what a code host states about a pull request, in a delivery or a response. */
export async function applyPull(
  changed: ChangedTasks,
  trx: Transaction<Database>,
  { organizationId, status, repo, pull, receivedAt }: KnownPull,
): Promise<void> {
  const recorded = await record(trx, { organizationId, repo, pull, receivedAt });
  if (repo.id !== null && !recorded) return;
  const task = recorded && (await taskOfChange(trx, organizationId, recorded.changeId));
  if (task) await linkTask(changed, task, pull.url);
  if (pull.state === "merged")
    await applyMerge(changed, trx, { organizationId, status, repo, pull, recorded, task });
  else if (pull.state === "closed" && task)
    await completeTasks(changed, trx, organizationId, { status, ids: [task.id] });
}

const record = async (
  trx: Transaction<Database>,
  { organizationId, repo, pull, receivedAt }: Omit<KnownPull, "status">,
): Promise<ChangedPull | undefined> =>
  repo.id === null
    ? undefined
    : recordPullRequest(trx, organizationId, {
        repositoryId: repo.id,
        number: pull.number,
        url: linkOf(pull.url),
        state: pull.state,
        head: pull.headBranch,
        base: pull.baseBranch,
        asOf: pull.asOf ?? new Date(receivedAt),
        mergedAt: pull.mergedAt,
        isRevert: isRevert(pull),
      });

interface LockedTask {
  id: string;
  pr_url: string | null;
}

async function taskOfChange(
  trx: Transaction<Database>,
  organizationId: string,
  changeId: string | null,
): Promise<LockedTask | undefined> {
  if (changeId === null) return undefined;
  const change = await trx
    .selectFrom("changes")
    .select("task_id")
    .where("organization_id", "=", organizationId)
    .where("id", "=", changeId)
    .executeTakeFirst();
  const [task] = change?.task_id ? await lockTasks(trx, organizationId, [change.task_id]) : [];
  return task;
}

/** Stores the address of a pull request in its task, unless the task already has one. */
async function linkTask(changed: ChangedTasks, { id, pr_url }: LockedTask, url: string): Promise<void> {
  changed.touch(id);
  const link = linkOf(url);
  if (pr_url === null && link !== null) await changed.change(id, { pr_url: link });
}

interface Merge {
  organizationId: string;
  status: string | undefined;
  repo: KnownRepo;
  pull: Pull;
  recorded: ChangedPull | undefined;
  /** The task of the pull request's change. */
  task: LockedTask | undefined;
}

async function applyMerge(
  changed: ChangedTasks,
  trx: Transaction<Database>,
  { organizationId, status, repo, pull, recorded, task }: Merge,
): Promise<void> {
  const ownReach: Reach = { carried: [], bases: [pull.baseBranch] };
  const reach = recorded ? await reachOf(trx, organizationId, recorded.id) : ownReach;
  const hostDefaults = pull.defaultBranch === null ? FALLBACK_DEFAULT_BRANCHES : [pull.defaultBranch];
  const named = await namedTasks(trx, organizationId, pull, { repo, reach, hostDefaults });
  if (recorded?.changeId === null && repo.id !== null && !isRevert(pull))
    for (const { id: taskId } of named.filter(({ is_named }) => is_named))
      if (await linkNamedChange(trx, organizationId, { id: recorded.id, repositoryId: repo.id, taskId }))
        break;
  for (const one of named) await linkTask(changed, one, pull.url);
  const done = recorded ? await markDone(trx, organizationId, reach, hostDefaults) : [];
  const reached = named.filter(({ is_done }) => is_done).map(({ id }) => id);
  const unreached = named.filter(({ is_done }) => !is_done).map(({ id }) => id);
  const open = await completeTasks(changed, trx, organizationId, {
    status,
    ids: [...new Set([...reached, ...done])],
    named: reached,
  });
  // Includes the task of this change, if the pull request was merged into a branch that is not a done branch.
  const partial = new Set([...open, ...unreached, ...(task && !done.includes(task.id) ? [task.id] : [])]);
  for (const { id, is_open } of await lockTasks(trx, organizationId, [...partial]))
    if (is_open) changed.addMerge(id, { from: pull.headBranch, to: pull.baseBranch });
}
