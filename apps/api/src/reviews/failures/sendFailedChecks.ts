import { type CheckedPull, hasRunAndFailed } from "@grove/integrations";
import type { PullTarget } from "../../changes/pulls/pullTarget";
import { decidingChecks } from "../../changes/pulls/store";
import type { Services } from "../../services";
import { readFailure } from "./failure";
import { sendOrHoldBack } from "./sendOrHoldBack";

/**
 * Sends the failed checks of a pull request's newest commit to the agent in the change's workspace, or holds them back
 * for a person. Waits for running checks: then the next read of the pull request tries again.
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
  const { organizationId, changeId, branch } = target;
  const isFork = pull.headBranch !== branch;
  const failures = failed.filter(hasRunAndFailed);
  await sendOrHoldBack(services.database.db, {
    organizationId,
    changeId,
    kind: "checks",
    head: pull.head,
    readAt,
    branch,
    notForAgents: isFork ? "fork" : failures.length === 0 ? "not_a_failure" : undefined,
    readFailure: () => readFailure(services, target, failures),
  });
}
