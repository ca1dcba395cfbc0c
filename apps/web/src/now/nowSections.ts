import type { AgentSession, Change, CommandListed } from "@grove/schemas";
import { isDismissed } from "../lib/agentSessions/dismissedSessions";
import { waitsForInput } from "../lib/agentSessions/sessionActivity";
import { waitingSessionsOf } from "../lib/agentSessions/waitingSessions";
import { recentFailures } from "./failedCommands";
import { isUnseen } from "./isUnseen";
import { type OfflineDevice, offlineWithAgents } from "./offlineDevices";
import { sessionsWithRequests } from "./requests/groupRequests";
import type { NowData } from "./useNowData";

interface NowSections {
  /** The agents that wait for the user's input, oldest first. */
  waiting: AgentSession[];
  /** The waiting agents without a request in the inbox, which need a card of their own. */
  withoutRequest: AgentSession[];
  /** How many agents wait for the input of other members. */
  otherWaitingCount: number;
  /** The changes of the user's tasks and machines that wait for something other than an answer to an agent. */
  changes: Change[];
  failures: CommandListed[];
  offline: OfflineDevice[];
  /** The user's agents whose turn ended since the user viewed them. */
  done: AgentSession[];
  /** The user's other running agents. Agents of the user's tasks are shown with the task instead. */
  working: AgentSession[];
  isEmpty: boolean;
}

interface Reader {
  me: string;
  dismissedIds: readonly string[];
  dismissedSessions: ReadonlySet<string>;
  now: number;
}

/**
 * Selects what each section of the page shows, in the order in which `nowPage.tsx` renders them. No agent is in two
 * sections.
 */
export function nowSections(
  {
    running,
    devices,
    tasks,
    requests,
    changes,
    seen,
    failed,
  }: Pick<NowData, "running" | "devices" | "tasks" | "requests" | "changes" | "seen" | "failed">,
  { me, dismissedIds, dismissedSessions, now }: Reader,
): NowSections {
  const allWaiting = waitingSessionsOf(running, me);
  const waiting = allWaiting.filter((session) => !isDismissed(session, dismissedSessions));
  const requestedIds = sessionsWithRequests(requests);
  const withoutRequest = waiting.filter(({ id }) => !requestedIds.has(id));
  // The agents that ask are listed by themselves.
  const waitingChanges = changes.filter(({ workState }) => workState !== "needs_input");
  const failures = recentFailures(failed, dismissedIds, now);
  const offline = offlineWithAgents(devices, running, me);
  const offlineIds = new Set(offline.map(({ device }) => device.id));
  const online = running.filter(
    (session) =>
      session.startedBy === me &&
      (!waitsForInput(session) || isDismissed(session, dismissedSessions)) &&
      !offlineIds.has(session.deviceId),
  );
  const done = online.filter((session) => seen !== undefined && isUnseen(session, seen.get(session.id)));
  const working = online.filter(
    (session) => !done.includes(session) && !tasks.some(({ id }) => id === session.taskId),
  );
  const sections = [requests, withoutRequest, waitingChanges, failures, offline, tasks, done, working];
  return {
    waiting,
    withoutRequest,
    otherWaitingCount: running.filter(waitsForInput).length - allWaiting.length,
    changes: waitingChanges,
    failures,
    offline,
    done,
    working,
    isEmpty: sections.every(({ length }) => length === 0),
  };
}
