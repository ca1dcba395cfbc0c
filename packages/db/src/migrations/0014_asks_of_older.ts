import { statements } from "./statements";

/**
 * An instance that does not know `asks` yet ends a wait without clearing it. While it runs beside a newer one, that
 * must succeed.
 */
export const up = statements(["alter table agent_sessions drop constraint agent_sessions_asks"]);
