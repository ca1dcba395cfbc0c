import { statements } from "./statements";

/**
 * The trace that a command belongs to, as W3C's traceparent; and the index of deliveries that were given up, which
 * metrics count.
 */
export const up = statements([
  "alter table device_commands add column trace_parent text",
  "create index integration_events_dead on integration_events (id) where status = 'dead'",
]);
