import { type Actor, GroveError, recordAudit, type SessionPrincipal } from "@grove/auth";
import { type CheckedPull, type MergeOutcome, ProviderError } from "@grove/integrations";
import { type MergeMethod, type PullBlock, type PullStatus, shortCommit } from "@grove/schemas";
import { tryProvider } from "../../integrations/call";
import { toGroveError } from "../../integrations/failures";
import type { Services } from "../../services";
import { type AtHead, pullToActOn, requireHead } from "./approve";
import { isMergeable, obstacleOf } from "./mergeBlocks";
import { requestMerge } from "./mergeIntents";
import type { PullTarget } from "./pullTarget";
import { forgetAnswer, readPull, selectApprovals, toStatus } from "./read";
import { requireGate } from "./requireGate";

type MergeRequest = AtHead & { method: MergeMethod; when: "now" | "green" };

/**
 * Merges exactly the approved commit of a change's pull request. The provider compares the commit, too. With `green`,
 * a pull request that only waits for its checks is merged once they have passed.
 * @throws {GroveError} what {@link pullToActOn}, {@link requireHead}, {@link requireGate} and {@link requestMerge}
 * throw; CONFLICT `already_merged`; PRECONDITION_FAILED `not_approved`, `queue_required`, `blocked`,
 * `method_not_allowed`
 */
export async function merge(
  services: Services,
  principal: SessionPrincipal,
  { organizationId, changeId, head, method, when }: MergeRequest,
): Promise<PullStatus> {
  const of = { organizationId, changeId };
  const { db } = services.database;
  const { target, found } = await pullToActOn(services, principal, of);
  await requireMergeable(services, target, found, { head, method, when });
  if (found.blocks.length > 0) {
    await requestMerge(services, principal, of, { pull: found.pull, method });
    return toStatus(db, of, found);
  }
  return toStatus(db, of, await mergeCommit(services, principal, target, { found, method }));
}

/**
 * Merges the commit that a pull request was read at, and records that in the audit log.
 * @returns the pull request after the merge
 * @throws {GroveError} CONFLICT `head_moved`; PRECONDITION_FAILED `blocked`; BAD_GATEWAY `outcome_unknown`; what
 * {@link toGroveError} returns
 */
export async function mergeCommit(
  services: Services,
  actor: Actor,
  target: PullTarget,
  { found, method }: { found: CheckedPull; method: MergeMethod },
): Promise<CheckedPull> {
  const { number, head, baseBranch: base } = found.pull;
  const { organizationId, changeId } = target;
  const record = (outcome: "merged" | "unknown") =>
    services.database.db.transaction().execute((trx) =>
      recordAudit(trx, actor, {
        organizationId,
        action: "workspace.change.merge",
        target: { type: "change", id: changeId },
        metadata: { head, base, number, method, outcome },
      }),
    );
  try {
    await mergeAtProvider(services, target, { number, head, method });
  } catch (error) {
    if (error instanceof GroveError && error.reason === "outcome_unknown") await record("unknown");
    throw error;
  } finally {
    // Viewers may have read it during the merge.
    forgetAnswer(services, target);
  }
  await record("merged");
  return readAfter(services, target, found);
}

async function requireMergeable(
  services: Services,
  target: PullTarget,
  found: CheckedPull,
  { head, method, when }: Pick<MergeRequest, "head" | "method" | "when">,
): Promise<void> {
  const { pull, blocks, methods } = found;
  if (pull.state === "merged") throw alreadyMerged(pull.number);
  requireHead(found, head);
  await requireGate(services.database.db, target, head);
  const approval = await selectApprovals(services.database.db, target, pull).executeTakeFirst();
  if (!approval)
    throw new GroveError(
      "PRECONDITION_FAILED",
      `Commit ${shortCommit(head)} is not approved for ${pull.baseBranch}. Approve it first.`,
      { reason: "not_approved" },
    );
  if (blocks.some(({ code }) => code === "queue_required"))
    throw new GroveError(
      "PRECONDITION_FAILED",
      `${pull.baseBranch} takes commits only from its merge queue. Add the pull request to the queue at the code host.`,
      { reason: "queue_required" },
    );
  if (when === "green" ? obstacleOf(found) : !isMergeable(found)) throw blocked(blocks);
  if (!methods.includes(method))
    throw new GroveError(
      "PRECONDITION_FAILED",
      `The repository does not allow the method ${method}. Choose one of: ${methods.join(", ")}.`,
      { reason: "method_not_allowed", details: { methods } },
    );
}

const alreadyMerged = (number: number) =>
  new GroveError("CONFLICT", `The pull request #${number} is merged already.`, { reason: "already_merged" });

const blocked = (blocks: PullBlock[]) =>
  new GroveError(
    "PRECONDITION_FAILED",
    `The code host does not merge it now: ${blocks.map(({ code, detail }) => (detail ? `${code} (${detail})` : code)).join(", ") || "it gives no reason"}. Resolve that, then merge again.`,
    { reason: "blocked", details: { blocks } },
  );

interface Merge {
  number: number;
  head: string;
  method: MergeMethod;
}

/** Merges, and after a lost response reads whether it took effect. Returns only if the commit was merged. */
async function mergeAtProvider(services: Services, target: PullTarget, { number, ...merge }: Merge) {
  const { connection, repo } = target;
  let outcome: MergeOutcome;
  try {
    outcome = await tryProvider(services, "codehost", connection, (port) =>
      port.mergePull(repo, number, merge),
    );
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    if (await isMerged(services, target, merge.head)) return;
    throw toGroveError(services.integrations.provider(connection.provider).title, error);
  }
  if (outcome.outcome === "merged") return;
  const now = await readPull(services, target);
  if (now?.pull.state === "merged" && now.pull.head === merge.head) return;
  if (now) requireHead(now, merge.head);
  const word = outcome.outcome === "refused" ? outcome.detail : outcome.outcome;
  throw blocked(now?.blocks.length ? now.blocks : [{ code: "provider", detail: word }]);
}

/**
 * Whether the code host has merged the commit. If it does not answer, that is unknown.
 * @throws {GroveError} BAD_GATEWAY `outcome_unknown`
 */
async function isMerged(services: Services, target: PullTarget, head: string): Promise<boolean> {
  try {
    const now = await readPull(services, target);
    return now?.pull.state === "merged" && now.pull.head === head;
  } catch (cause) {
    throw new GroveError(
      "BAD_GATEWAY",
      "The code host did not answer, so the pull request may be merged. Read its state again before another try.",
      { reason: "outcome_unknown", cause },
    );
  }
}

/** Reads the merged pull request. It is merged also if this read fails: a later one then records it. */
async function readAfter(services: Services, target: PullTarget, before: CheckedPull): Promise<CheckedPull> {
  const merged = { ...before, pull: { ...before.pull, state: "merged" as const } };
  try {
    return (await readPull(services, target)) ?? merged;
  } catch (error) {
    services.log.warn({ changeId: target.changeId, err: error }, "a merged pull request could not be read");
    return merged;
  }
}
