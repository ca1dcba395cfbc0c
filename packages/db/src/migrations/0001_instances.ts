import { statements } from "./statements";

/** Working tables of the API's instances, without users' data. */
export const up = statements([
  // A device is online while the instance that has its newest stream renews its lease here. So heartbeats write
  // nothing. Each row is rewritten every few seconds. Mostly free pages are pruned soon, so that a read finds its row
  // quickly.
  `create table api_instances (
    id uuid primary key,
    version text not null,
    started_at timestamptz not null default now(),
    lease_until timestamptz not null
  ) with (fillfactor = 10)`,

  // The progress of each maintenance job, for whichever instance runs it next.
  "create table maintenance (job text primary key, reached timestamptz not null)",
]);
