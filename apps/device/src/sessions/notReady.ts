import type { ActivityState } from "@grove/schemas";
import { CommandFailure } from "../errors";

/** The refusal of a prompt for an agent that is not idle and not done. */
export function notReady(state: ActivityState | "none" | "ended"): CommandFailure {
  const refuse = (reason: CommandFailure["reason"], message: string) =>
    new CommandFailure(reason, `${message} Nothing was sent.`);
  switch (state) {
    case "ended":
      return refuse("session_ended", "The agent session has ended. Start another one.");
    case "none":
      return refuse("not_an_agent", "The session is a plain terminal. Choose a session with an agent.");
    case "working":
    case "starting":
      return refuse("agent_working", "The agent is working. Send again when its turn has ended.");
    default:
      return refuse(
        "agent_needs_input",
        "The agent waits for a person. Answer in its terminal, then send again.",
      );
  }
}
