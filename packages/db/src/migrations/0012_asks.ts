import { statements } from "./statements";

/** The last lines on the screen of an agent that waits. */
export const up = statements([
  "alter table agent_sessions add column asks text",
  "alter table agent_sessions add constraint agent_sessions_asks check (waiting_for_input or asks is null)",
]);
