import { statements } from "./statements";

/** Sums of analytics events count when the events are dropped, since adding up takes many statements. */
export const up = statements([
  "create table analytics_rolled_up (received_before timestamptz primary key)",
  "insert into analytics_rolled_up select distinct received_before from analytics_rollups",
]);
