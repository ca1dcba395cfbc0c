import { statements } from "./statements";

/** Which users had which events on which days, for as long as a month of an organization is added up. */
export const up = statements([
  // Unlogged, since adding up begins again after a crash. An event of no name stands for all of them.
  `create unlogged table analytics_seen (
    organization_id uuid,
    event text collate "C" not null,
    user_id uuid not null,
    day date not null,
    constraint analytics_seen_key unique nulls not distinct (organization_id, event, user_id, day)
  )`,
  // Sums of an interrupted run are found by it.
  "create index analytics_rollups_received on analytics_rollups (received_before, organization_id)",
]);
