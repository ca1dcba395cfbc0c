import type { AgentSession, AgentSessionStatus } from "@grove/schemas";
import { useQuery } from "@tanstack/react-query";
import { CircleCheck, CircleDot, CircleStop, CircleX, MessageCircleQuestion, WifiOff } from "lucide-react";
import { useOrganization } from "../hooks/useOrganization";
import { queries } from "../lib/api";
import { type Look, State } from "../ui/state";

const looks = {
  running: { icon: CircleDot, tone: "good", words: "Working" },
  exited: { icon: CircleCheck, tone: "calm", words: "Ended" },
  failed: { icon: CircleX, tone: "bad", words: "Failed" },
  stopped: { icon: CircleStop, tone: "calm", words: "Stopped" },
} satisfies Record<AgentSessionStatus, Look>;

/** A guess, since a program that prints nothing may also be working. */
const waiting: Look = { icon: MessageCircleQuestion, tone: "warn", words: "Seems to wait" };

/** The machine is offline, so the state of the session is unknown. */
const offline: Look = { icon: WifiOff, tone: "warn", words: "Offline" };

/** The exit code of a session's program, unless it is 0. */
const codeOf = ({ status, exitCode }: AgentSession) =>
  status === "exited" && exitCode !== 0 && exitCode !== null ? ` with ${exitCode}` : "";

export function SessionState({ session }: { session: AgentSession }) {
  const { id: organizationId } = useOrganization();
  const isRunning = session.status === "running";
  const { data: devices } = useQuery({
    ...queries.device.list.queryOptions({ organizationId }),
    enabled: isRunning,
  });
  const device = devices?.find(({ id }) => id === session.deviceId);
  if (isRunning && device?.status === "offline") return <State look={offline} />;
  return <State look={session.waitingForInput ? waiting : looks[session.status]}>{codeOf(session)}</State>;
}
