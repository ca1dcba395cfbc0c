import { useQueries, useQuery } from "@tanstack/react-query";
import { useOrganization } from "../hooks/useOrganization";
import { queries } from "../lib/api";
import { toolQuery } from "../lib/commands/deviceTools";
import { WORKSPACES_POLL_MS } from "../lib/queries/pollIntervals";
import { useOpenCommands } from "./workspaceCommands";
import { rowsOf } from "./workspaceRows";

/** The filter of the list; an undefined field matches every workspace. */
export interface WorkspaceFilter {
  project?: string;
  device?: string;
}

/** Loads the workspaces that match the filter, with what the API and the devices that are online report about them. */
export function useWorkspaceRows({ project, device }: WorkspaceFilter) {
  const { id: organizationId } = useOrganization();
  const records = useQuery(queries.workspace.list.queryOptions({ organizationId }));
  const devices = useQuery(queries.device.list.queryOptions({ organizationId })).data ?? [];
  const sessions = useQuery(queries.agent.listSessions.queryOptions({ organizationId, status: "running" }));
  const { deleting } = useOpenCommands(organizationId);
  const matches = (records.data ?? []).filter(
    ({ projectId, deviceId }) => (!project || projectId === project) && (!device || deviceId === device),
  );
  const deviceIds = new Set(matches.map(({ deviceId }) => deviceId));
  const onlineDevices = devices.filter(({ id, status }) => status === "online" && deviceIds.has(id));
  const { onDevices, loading } = useQueries({
    queries: onlineDevices.map(({ id: deviceId }) => ({
      ...toolQuery({ organizationId, deviceId }, "list_workspaces", {}),
      refetchInterval: WORKSPACES_POLL_MS,
    })),
    combine: (results) => ({
      onDevices: results.flatMap(({ data }) => data?.workspaces ?? []),
      loading: onlineDevices.map(({ id }) => id).filter((_, index) => results[index]?.isPending),
    }),
  });
  const rows = rowsOf({
    records: matches,
    devices,
    onDevices,
    loading,
    sessions: sessions.data ?? [],
    deleting,
  });
  return { records, rows };
}
