import { statements } from "./statements";

/** An answer names the screen that its author saw. */
export const up = statements(["alter table agent_sessions add column screen integer"]);
