import { type Actor, GroveError, recordAudit, type SessionPrincipal } from "@grove/auth";
import { type CheckedPull, type MergeOutcome, ProviderError } from "@grove/integrations";
import { type MergeMethod, type PullBlock, type PullStatus, shortCommit } from "@grove/schemas";
import { tryProvider } from "../../integrations/call";
import { toGroveError } from "../../integrations/failures";
import type { Services } from "../../services";
import { type AtHead, pullToActOn, requireHead } from "../pulls/approve";
import type { PullTarget } from "../pulls/pullTarget";
import { forgetAnswer, readPull, selectApprovals, toStatus } from "../pulls/readPull";
import { requireGate } from "../pulls/requireGate";
import { isMergeable, isQueued, obstacleOf } from "./blocks";
import { requestMerge } from "./requests";

type MergeRequest = AtHead & { method: MergeMethod; when: "now" | "green" };

/**
 * Merges exactly the approved commit of a change's pull request, or adds it to the code host's queue. The provider
 * compares the commit, too. With `green`, a pull request that waits only for its checks is merged once they have
 * passed.
 * @throws {GroveError} what {@link pullToActOn}, {@link requireHead}, {@link requireGate} and {@link requestMerge}
 * throw; CONFLICT `already_merged`; PRECONDITION_FAILED `not_approved`, `queue_required`, `blocked`,
 * `method_not_allowed`
 */
export async function merge(
  services: Services,
  principal: SessionPrincipal,
  { organizationId, changeId, head, method, when }: MergeRequest,
): Promise<PullStatus> {
  const changeKey = { organizationId, changeId };
  const { db } = services.database;
  const { target, found } = await pullToActOn(services, principal, changeKey);
  await requireMergeable(services, target, found, { head, method, when });
  if (found.blocks.length > 0) {
    await requestMerge(services, principal, changeKey, { pull: found.pull, method, status: "waiting" });
    return toStatus(db, changeKey, found);
  }
  const { outcome, after } = await mergeCommit(services, principal, target, { found, method });
  if (outcome === "queued")
    await requestMerge(services, principal, changeKey, { pull: found.pull, method, status: "queued" });
  return toStatus(db, changeKey, after);
}

/**
 * Merges the commit at which a pull request was read, or adds it to the queue. Records the outcome in the audit log.
 * @returns the outcome, and the pull request after the merge
 * @throws {GroveError} CONFLICT `head_moved`; PRECONDITION_FAILED `blocked`; BAD_GATEWAY `outcome_unknown`; what
 * {@link toGroveError} returns
 */
export async function mergeCommit(
  services: Services,
  actor: Actor,
  target: PullTarget,
  { found, method }: { found: CheckedPull; method: MergeMethod },
): Promise<{ outcome: MergeResult; after: CheckedPull }> {
  const { number, head, baseBranch: base } = found.pull;
  const { organizationId, changeId } = target;
  const record = (outcome: MergeResult | "unknown") =>
    services.database.db.transaction().execute((trx) =>
      recordAudit(trx, actor, {
        organizationId,
        action: "workspace.change.merge",
        target: { type: "change", id: changeId },
        metadata: { head, base, number, method, outcome },
      }),
    );
  let outcome: MergeResult;
  try {
    outcome = await mergeAtProvider(services, target, { number, head, method });
  } catch (error) {
    if (error instanceof GroveError && error.reason === "outcome_unknown") await record("unknown");
    throw error;
  } finally {
    // Viewers may have read the pull request during the merge, so its cached state may be stale.
    forgetAnswer(services, target);
  }
  await record(outcome);
  return { outcome, after: await readAfter(services, target, found, outcome) };
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
  if (methods.includes("queue") && method !== "queue")
    throw new GroveError(
      "PRECONDITION_FAILED",
      `${pull.baseBranch} takes commits only from its merge queue. Merge with the method queue.`,
      { reason: "queue_required", details: { methods } },
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
  new GroveError("CONFLICT", `Pull request #${number} is already merged.`, { reason: "already_merged" });

const blocked = (blocks: PullBlock[]) =>
  new GroveError(
    "PRECONDITION_FAILED",
    `The code host blocks the merge: ${blocks.map(({ code, detail }) => (detail ? `${code} (${detail})` : code)).join(", ") || "no reason given"}. Resolve that, then merge again.`,
    { reason: "blocked", details: { blocks } },
  );

interface Merge {
  number: number;
  head: string;
  method: MergeMethod;
}

/** `queued`: the code host's queue will merge it. */
type MergeResult = "merged" | "queued";

/** Returns whether the commit was merged or is in the queue; undefined if neither. */
const resultOf = (now: CheckedPull | undefined, head: string): MergeResult | undefined => {
  if (now?.pull.head !== head) return undefined;
  if (now.pull.state === "merged") return "merged";
  return isQueued(now) ? "queued" : undefined;
};

/** Merges. After a lost response, reads whether the merge took effect. Throws if it did not. */
async function mergeAtProvider(
  services: Services,
  target: PullTarget,
  { number, ...merge }: Merge,
): Promise<MergeResult> {
  const { connection, repo } = target;
  let outcome: MergeOutcome;
  try {
    outcome = await tryProvider(services, "codehost", connection, (port) =>
      port.mergePull(repo, number, merge),
    );
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const merged = await readMerged(services, target, merge.head);
    if (merged) return merged;
    throw toGroveError(services.integrations.provider(connection.provider).title, error);
  }
  if (outcome.outcome === "merged" || outcome.outcome === "queued") return outcome.outcome;
  const now = await readPull(services, target);
  const merged = resultOf(now, merge.head);
  if (merged) return merged;
  if (now) requireHead(now, merge.head);
  const detail = outcome.outcome === "refused" ? outcome.detail : outcome.outcome;
  throw blocked(now?.blocks.length ? now.blocks : [{ code: "provider", detail }]);
}

/**
 * Reads whether the commit was merged or is in the queue. Throws if the code host does not answer.
 * @throws {GroveError} BAD_GATEWAY `outcome_unknown`
 */
async function readMerged(
  services: Services,
  target: PullTarget,
  head: string,
): Promise<MergeResult | undefined> {
  try {
    return resultOf(await readPull(services, target), head);
  } catch (cause) {
    throw new GroveError(
      "BAD_GATEWAY",
      "The code host did not answer, so the pull request may be merged. Read its state again before you retry.",
      { reason: "outcome_unknown", cause },
    );
  }
}

/** Reads the pull request after a merge. If the read fails, returns the expected state; a later read records it. */
async function readAfter(
  services: Services,
  target: PullTarget,
  before: CheckedPull,
  outcome: MergeResult,
): Promise<CheckedPull> {
  const { pull } = before;
  const after: CheckedPull =
    outcome === "merged"
      ? { ...before, pull: { ...pull, state: "merged" } }
      : { ...before, blocks: [{ code: "queued", detail: "" }], mergeable: "no" };
  try {
    return (await readPull(services, target)) ?? after;
  } catch (error) {
    services.log.warn({ changeId: target.changeId, err: error }, "a merged pull request could not be read");
    return after;
  }
}
