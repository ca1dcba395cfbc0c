import { useQuery } from "@tanstack/react-query";
import { queries } from "../lib/api";
import { COMMANDS_POLL_MS } from "../lib/queries/pollIntervals";
import { runningSessionsQuery } from "../lib/queries/runningSessionsQuery";
import { actions, type FailedStatus } from "./failedCommands";
import { isReadable } from "./requests/groupRequests";
import { openRequestsQuery } from "./requests/requestsQuery";
import { seenSessionsQuery } from "./seenSessionsQuery";

const tools = Object.keys(actions);

/** The queries of the page. tRPC batches calls of one tick into one request. */
const nowQueries = (organizationId: string, me: string) => {
  return {
    running: runningSessionsQuery(organizationId),
    latestSession: queries.agent.listSessions.queryOptions({ organizationId, limit: 1 }),
    devices: queries.device.list.queryOptions({ organizationId }),
    projects: queries.project.list.queryOptions({ organizationId }),
    workspaces: queries.workspace.list.queryOptions({ organizationId }),
    tasks: queries.task.list.queryOptions({ organizationId, assigneeId: me, status: "started", limit: 50 }),
    requests: openRequestsQuery(organizationId),
    changes: queries.workspace.change.list.queryOptions({ organizationId, waits: true, mine: true }),
    seen: seenSessionsQuery(organizationId),
    failed: (status: FailedStatus) =>
      queries.agent.listCommands.queryOptions(
        { organizationId, requestedBy: me, status, tools, limit: 10 },
        { refetchInterval: COMMANDS_POLL_MS },
      ),
  };
};

/** Reads the lists of the page; each is empty until it has loaded. */
export function useNowData(organizationId: string, me: string) {
  const options = nowQueries(organizationId, me);
  const running = useQuery(options.running);
  const latestSession = useQuery(options.latestSession);
  const devices = useQuery(options.devices);
  const projects = useQuery(options.projects);
  const workspaces = useQuery(options.workspaces);
  const tasks = useQuery(options.tasks);
  const requests = useQuery(options.requests);
  const changes = useQuery(options.changes);
  const seen = useQuery(options.seen);
  const failed = [
    useQuery(options.failed("failed")),
    useQuery(options.failed("timed_out")),
    useQuery(options.failed("expired")),
    useQuery(options.failed("lost")),
  ];
  const all = [
    running,
    latestSession,
    devices,
    projects,
    workspaces,
    tasks,
    requests,
    changes,
    seen,
    ...failed,
  ];
  return {
    running: running.data ?? [],
    devices: devices.data ?? [],
    projects: projects.data ?? [],
    workspaces: workspaces.data ?? [],
    tasks: tasks.data ?? [],
    changes: changes.data ?? [],
    requests: (requests.data ?? []).filter(isReadable),
    /** Undefined until it has loaded: until then no agent is shown as unseen. */
    seen: seen.data && new Map(seen.data.map(({ id, seen: since }) => [id, since])),
    failed: failed.flatMap(({ data = [] }) => data),
    hasRun: (latestSession.data?.length ?? 0) > 0,
    isPending: all.some(({ isPending }) => isPending),
    error: all.find(({ error }) => error)?.error,
  };
}

export type NowData = ReturnType<typeof useNowData>;
