import { type AgentSession, type Device, SHELL_AGENT, waitsForPerson } from "@grove/schemas";

/** Whether a session waits for a person: by its agent's own report, else by a guess from its terminal. */
export const waitsForInput = ({
  activity,
  waitingForInput,
}: Pick<AgentSession, "activity" | "waitingForInput">): boolean =>
  activity && isReported(activity) ? waitsForPerson(activity.state) : waitingForInput;

/** Whether the agent itself has reported its state, by hooks or in its record. Otherwise it is a guess. */
export const isReported = ({ source }: NonNullable<AgentSession["activity"]>): boolean => source !== "screen";

/** The states that a person distinguishes, with their labels. A state that starts with `seems` is a guess. */
export const stateLabels = {
  needs_permission: "Needs permission",
  needs_answer: "Asks a question",
  limited: "Usage limit",
  turn_failed: "Failed",
  waits: "Needs input",
  seems_to_wait: "Seems to wait",
  working: "Working",
  seems_to_work: "Seems to work",
  starting: "Starting",
  open: "Open",
  done: "Done",
  idle: "Idle",
  offline: "Offline",
  exited: "Ended",
  stopped: "Stopped",
  failed: "Failed",
} as const;

export type SessionStateName = keyof typeof stateLabels;

/** Returns what the agent does, if that is known. A plain terminal has no agent, so a guess about it means little. */
export const activityOf = ({ agent, activity }: AgentSession): AgentSession["activity"] =>
  agent === SHELL_AGENT && activity?.source === "screen" ? null : activity;

/** Returns the state under which a session is shown. */
export function stateOf(session: AgentSession, device?: Device): SessionStateName {
  const { agent, status, waitingForInput, exitCode } = session;
  const activity = activityOf(session);
  if (status !== "running") return status === "exited" && exitCode ? "failed" : status;
  // Without a reported state, the state of a session on an offline machine is unknown.
  if (!activity && device?.status === "offline") return "offline";
  if (!activity) return waitingForInput ? "waits" : agent === SHELL_AGENT ? "open" : "working";
  if (isReported(activity)) return activity.state === "failed" ? "turn_failed" : activity.state;
  if (activity.state === "starting") return "starting";
  return waitingForInput ? "seems_to_wait" : "seems_to_work";
}

/** Returns the label of a session's state: "Working", "Usage limit until 14:03", "Exited with code 1". */
export function stateLabel(session: AgentSession, device?: Device): string {
  const { activity, exitCode } = session;
  const state = stateOf(session, device);
  if (state === "failed" && exitCode) return `Exited with code ${exitCode}`;
  if (state === "limited" && activity?.limitedUntil)
    return `${stateLabels.limited} until ${formatClock(activity.limitedUntil)}`;
  return stateLabels[state];
}

const clock = new Intl.DateTimeFormat("en", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const dayAndClock = new Intl.DateTimeFormat("en", {
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});

/** Formats a time as "14:03", or as "Nov 25, 14:03" on another day. */
export function formatClock(at: string, now: Date = new Date()): string {
  const date = new Date(at);
  return (date.toDateString() === now.toDateString() ? clock : dayAndClock).format(date);
}
