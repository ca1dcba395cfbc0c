import { statements } from "./statements";

/**
 * Presence by a lease of the instance: a device is online while the process that has its newest stream renews its row
 * here, so that beats write nothing.
 */
export const up = statements([
  // Each row is rewritten every few seconds. Mostly free pages are pruned soon, so that a look finds its row quickly.
  `create table api_instances (
    id uuid primary key,
    started_at timestamptz not null default now(),
    lease_until timestamptz not null,
    version text not null
  ) with (fillfactor = 10)`,
  // `instance_id` has no foreign key: each connect would check it, and a lease that is gone means the same as none.
  // `present_epoch`: the epoch of the stream that has answered a beat. An older release raises the epoch alone, and
  // with it takes the device out of the hands of the instance that is named here.
  "alter table devices add column instance_id uuid, add column present_epoch integer",
  // Most connects then find room for the row on its page, and write no index.
  "alter table devices set (fillfactor = 85)",
]);
