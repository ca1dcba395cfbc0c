import type { AgentReportSessionInput } from "@grove/schemas";
import type { TestDevice } from "./device";

type StateReport = Extract<AgentReportSessionInput, { type: "state" }>;

/** Returns a function by which a session's device reports the state of its agent, as the agent's hooks do. */
export function stateReporter({ client }: Pick<TestDevice, "client">, sessionId: string) {
  let number = 0;
  return (state: StateReport["state"], more: Partial<StateReport> = {}) =>
    client.agent.reportSession.mutate({
      type: "state",
      id: sessionId,
      number: ++number,
      state,
      source: "hook",
      ageMs: 0,
      requests: [],
      ...more,
    });
}
