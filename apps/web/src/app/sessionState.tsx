import type { AgentSession, AgentSessionStatus } from "@grove/schemas";
import { CircleCheck, CircleDot, CircleStop, CircleX, MessageCircleQuestion } from "lucide-react";
import { type Look, State } from "../ui/state";

const looks = {
  running: { icon: CircleDot, tone: "good", words: "Working" },
  exited: { icon: CircleCheck, tone: "calm", words: "Ended" },
  failed: { icon: CircleX, tone: "bad", words: "Failed" },
  stopped: { icon: CircleStop, tone: "calm", words: "Stopped" },
} satisfies Record<AgentSessionStatus, Look>;

const waits: Look = { icon: MessageCircleQuestion, tone: "warn", words: "Waits for you" };

/** How a session's program ended, if it was not with 0. */
const codeOf = ({ status, exitCode }: AgentSession) =>
  status === "exited" && exitCode !== 0 && exitCode !== null ? ` with ${exitCode}` : "";

/** The state of an agent session: whether it works, waits for a person, or how it ended. */
export const SessionState = ({ session }: { session: AgentSession }) => (
  <State look={session.waitingForInput ? waits : looks[session.status]}>{codeOf(session)}</State>
);
