import type { AgentSession } from "@grove/schemas";
import { useQuery } from "@tanstack/react-query";
import {
  CircleCheck,
  CircleDot,
  CircleStop,
  CircleX,
  type LucideIcon,
  MessageCircleQuestion,
  WifiOff,
} from "lucide-react";
import { useOrganization } from "../hooks/useOrganization";
import {
  activityOf,
  formatClock,
  type SessionStateName,
  stateLabel,
  stateOf,
} from "../lib/agentSessions/sessionActivity";
import { queries } from "../lib/api";
import { formatRelativeTime } from "../ui/relativeTime";
import { StateLabel, type Tone } from "../ui/stateLabel";
import { deviceTexts } from "./deviceStates";

/** The icon and the tone of each state of a session. */
export const stateStyles = {
  needs_permission: { icon: MessageCircleQuestion, tone: "warn" },
  needs_answer: { icon: MessageCircleQuestion, tone: "warn" },
  limited: { icon: CircleStop, tone: "warn" },
  turn_failed: { icon: CircleX, tone: "bad" },
  waits: { icon: MessageCircleQuestion, tone: "warn" },
  seems_to_wait: { icon: MessageCircleQuestion, tone: "warn" },
  working: { icon: CircleDot, tone: "good" },
  seems_to_work: { icon: CircleDot, tone: "good" },
  starting: { icon: CircleDot, tone: "calm" },
  open: { icon: CircleDot, tone: "good" },
  done: { icon: CircleCheck, tone: "good" },
  idle: { icon: CircleDot, tone: "calm" },
  offline: { icon: WifiOff, tone: "warn" },
  exited: { icon: CircleCheck, tone: "calm" },
  stopped: { icon: CircleStop, tone: "calm" },
  failed: { icon: CircleX, tone: "bad" },
} satisfies Record<SessionStateName, { icon: LucideIcon; tone: Tone }>;

/** The state of a session: what its agent does. While its machine is offline, the last state that was reported. */
export function SessionState({ session }: { session: AgentSession }) {
  const { id: organizationId } = useOrganization();
  const { status } = session;
  const activity = activityOf(session);
  const { data: devices } = useQuery({
    ...queries.device.list.queryOptions({ organizationId }),
    enabled: status === "running",
  });
  const device = devices?.find(({ id }) => id === session.deviceId);
  return (
    <span title={activity ? titleOf(activity) : undefined}>
      <StateLabel state={{ ...stateStyles[stateOf(session, device)], label: stateLabel(session, device) }}>
        {activity && device?.status === "offline" && (
          <span className="text-muted" title={deviceTexts.offline}>
            as of {formatClock(device.lastSeenAt ?? activity.since)}
          </span>
        )}
      </StateLabel>
    </span>
  );
}

function titleOf({ since, source }: NonNullable<AgentSession["activity"]>): string {
  const guess = source === "screen" ? "Guessed from its terminal; this agent reports nothing itself. " : "";
  return `${guess}Since ${formatClock(since)}, ${formatRelativeTime(Date.parse(since), Date.now())}`;
}
