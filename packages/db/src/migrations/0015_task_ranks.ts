import { statements } from "./statements";

/**
 * The order of tasks that people make. A task that was never moved has no rank, and counts with its id: no row is
 * written for that, and an older instance of the API inserts tasks as before.
 */
export const up = statements([
  "alter table tasks add column rank text",
  `create unique index tasks_rank on tasks
    (organization_id, (coalesce(rank, replace(id::text, '-', '')) collate "C") desc)`,
  // The order within a status.
  `create index tasks_status_rank on tasks
    (organization_id, status, (coalesce(rank, replace(id::text, '-', '')) collate "C") desc)`,
]);
