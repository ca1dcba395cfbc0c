import { statements } from "./statements";

/** Until when somebody watches a session's output. Null: nobody has watched it. */
export const up = statements(["alter table agent_sessions add column watched_until timestamptz"]);
