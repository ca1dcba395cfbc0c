import { statements } from "./statements";

/** Until when a session's output has a viewer. Null if it never had one. */
export const up = statements(["alter table agent_sessions add column watched_until timestamptz"]);
