import { GroveError } from "@grove/auth";
import type { Pull } from "@grove/integrations";
import { repositoryOfProject } from "../../integrations/repositories";
import type { Services } from "../../services";
import { firstStatusOf } from "../../tasks/lockReferences";
import { ChangedTasks } from "../changedTasks";
import { applyPull } from "./changePullRequest";
import type { PullTarget } from "./target";

/**
 * Records a pull request as the code host described it in a response, links it to its change, and completes tasks as a
 * delivery would. Does nothing if the row is up to date.
 * @throws {GroveError} PRECONDITION_FAILED `remote_mismatch` if the repository is not the project's
 */
export async function storePull(
  { database: { db } }: Pick<Services, "database">,
  { organizationId, changeId, projectId, connection }: PullTarget,
  pull: Pull,
): Promise<void> {
  const known = await db
    .selectFrom("pull_requests")
    .innerJoin("repositories", (join) =>
      join
        .onRef("repositories.organization_id", "=", "pull_requests.organization_id")
        .onRef("repositories.id", "=", "pull_requests.repository_id"),
    )
    .select("pull_requests.id")
    .where("pull_requests.organization_id", "=", organizationId)
    .where("pull_requests.change_id", "=", changeId)
    .where("pull_requests.number", "=", pull.number)
    .where("pull_requests.state", "=", pull.state)
    .where("pull_requests.base", "=", pull.baseBranch)
    .where("pull_requests.updated_at", ">=", pull.asOf?.toISOString() ?? "infinity")
    .where("repositories.external_id", "=", pull.repo.id)
    .executeTakeFirst();
  if (known) return;
  await db.transaction().execute(async (trx) => {
    const changed = new ChangedTasks(trx, organizationId);
    // Locked before the tasks, as in every transaction that moves one.
    const status = await firstStatusOf(trx, organizationId, "completed");
    const repo = await repositoryOfProject(trx, connection, projectId, pull.repo);
    if (!repo)
      throw new GroveError(
        "PRECONDITION_FAILED",
        "The code host has another repository under the project's name than before. Correct the project's repository.",
        { reason: "remote_mismatch" },
      );
    await applyPull(changed, trx, { organizationId, status, repo, pull, receivedAt: new Date() });
    await changed.record();
  });
}
