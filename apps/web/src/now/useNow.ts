import { useQuery } from "@tanstack/react-query";
import { queries } from "../lib/api";
import { runningSessions } from "../lib/runningSessions";
import { actions, type FailedStatus } from "./failedCommands";

/** Polled, because commands are not on the live stream. */
const FAILURES_POLL_MS = 5_000;
const tools = Object.keys(actions);

/** The queries of the page. tRPC batches calls of one tick into one request. */
const nowQueries = (organizationId: string, me: string) => {
  return {
    running: runningSessions(organizationId),
    latest: queries.agent.listSessions.queryOptions({ organizationId, limit: 1 }),
    devices: queries.device.list.queryOptions({ organizationId }),
    projects: queries.project.list.queryOptions({ organizationId }),
    workspaces: queries.workspace.list.queryOptions({ organizationId }),
    tasks: queries.task.list.queryOptions({ organizationId, assigneeId: me, status: "started", limit: 50 }),
    failed: (status: FailedStatus) =>
      queries.agent.listCommands.queryOptions(
        { organizationId, requestedBy: me, status, tools, limit: 10 },
        { refetchInterval: FAILURES_POLL_MS },
      ),
  };
};

/** Reads the lists of the page; each is empty until it has loaded. */
export function useNow(organizationId: string, me: string) {
  const options = nowQueries(organizationId, me);
  const running = useQuery(options.running);
  const latest = useQuery(options.latest);
  const devices = useQuery(options.devices);
  const projects = useQuery(options.projects);
  const workspaces = useQuery(options.workspaces);
  const tasks = useQuery(options.tasks);
  const failed = [
    useQuery(options.failed("failed")),
    useQuery(options.failed("timed_out")),
    useQuery(options.failed("expired")),
    useQuery(options.failed("lost")),
  ];
  const all = [running, latest, devices, projects, workspaces, tasks, ...failed];
  return {
    running: running.data ?? [],
    devices: devices.data ?? [],
    projects: projects.data ?? [],
    workspaces: workspaces.data ?? [],
    tasks: tasks.data ?? [],
    failed: failed.flatMap(({ data = [] }) => data),
    hasRun: (latest.data?.length ?? 0) > 0,
    isPending: all.some(({ isPending }) => isPending),
    error: all.find(({ error }) => error)?.error,
  };
}
