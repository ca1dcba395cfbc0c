import type { Device, RepositoryScripts } from "@grove/schemas";
import { useQueries, useQuery } from "@tanstack/react-query";
import { useOrganization, useUser } from "../../hooks/useOrganization";
import { queries } from "../../lib/api";
import { CommandFailed, toolQuery } from "../../lib/commands/deviceTools";

/** A machine that has the project, and the scripts of its repository there, or why they are unknown. */
export interface MachineScripts {
  device: Device;
  result: RepositoryScripts | "offline" | Error;
}

/** Reads the scripts of a project's repository on each machine that has it and that the current user may use. */
export function useMachineScripts(projectId: string) {
  const { id: organizationId } = useOrganization();
  const user = useUser();
  const list = useQuery(queries.device.list.queryOptions({ organizationId }));
  const { data: workspaces } = useQuery(queries.workspace.list.queryOptions({ organizationId, projectId }));
  const devices = (list.data ?? []).filter(({ shared, ownerId }) => shared || ownerId === user.id);
  const reads = useQueries({
    queries: devices.map((device) => ({
      ...toolQuery({ organizationId, deviceId: device.id }, "get_repository_scripts", { projectId }),
      enabled: device.status === "online",
      refetchOnMount: "always" as const,
    })),
  });
  const machines = devices.flatMap((device, at): MachineScripts[] => {
    // Only an answer or a workspace shows that a machine has the project.
    const hasWorkspace = workspaces?.some(({ deviceId }) => deviceId === device.id);
    if (device.status === "offline") return hasWorkspace ? [{ device, result: "offline" }] : [];
    const { data, error } = reads[at] ?? {};
    const result = error ?? data;
    if (!result || isNotHere(result)) return [];
    return [{ device, result }];
  });
  return {
    machines,
    error: list.error,
    isPending: list.isPending || reads.some(({ isLoading }) => isLoading),
    isFetching: reads.some(({ isFetching }) => isFetching),
    refetch: async () => {
      await Promise.all(
        reads.filter((_, at) => devices[at]?.status === "online").map(({ refetch }) => refetch()),
      );
    },
  };
}

const isNotHere = (result: RepositoryScripts | Error): boolean =>
  result instanceof CommandFailed && result.reason === "repository_not_on_device";
