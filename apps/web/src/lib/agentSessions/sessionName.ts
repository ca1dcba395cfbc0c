import { type AgentSession, SHELL_AGENT } from "@grove/schemas";

/** Returns a session's display name: its own name, else its agent's. */
export const sessionName = ({ name, agent }: Pick<AgentSession, "name" | "agent">): string =>
  name ?? (agent === SHELL_AGENT ? "Terminal" : agent);
