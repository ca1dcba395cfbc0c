import { statements } from "./statements";

/** A webhook counts the deliveries that were refused: nothing else shows that one was lost. */
export const up = statements([
  `alter table integration_webhooks
    add column refused_count integer not null default 0,
    add column refused_at timestamptz,
    add column refused_reason text`,
]);
