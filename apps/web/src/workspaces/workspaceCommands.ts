import { type QueryKey, useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { queries, queryClient } from "../lib/api";
import { COMMANDS_POLL_MS } from "../lib/queries/pollIntervals";

const OPEN = ["queued", "claimed", "running"] as const;
/** The newest commands to follow, in each of these states. */
const MAX_OPEN = 100;

/**
 * Returns the workspaces being deleted, and tracks open creations. Includes those of other members if the user may see
 * them.
 */
export function useOpenCommands(organizationId: string) {
  const openCommands = useQueries({
    queries: OPEN.map((status) =>
      queries.agent.listCommands.queryOptions(
        { organizationId, status, limit: MAX_OPEN },
        { refetchInterval: COMMANDS_POLL_MS },
      ),
    ),
    combine: (results) =>
      results
        .flatMap(({ data }) => data ?? [])
        .filter(({ tool }) => tool === "create_workspace" || tool === "delete_workspace"),
  });
  const ids = [...new Set(openCommands.map(({ id }) => id))];
  const deleting = useQueries({
    queries: openCommands
      .filter(({ tool }) => tool === "delete_workspace")
      .map(({ id }) =>
        queries.agent.getCommand.queryOptions(
          { organizationId, id },
          { staleTime: Number.POSITIVE_INFINITY },
        ),
      ),
    combine: (results) => new Set(results.flatMap(({ data }) => idsOf(data?.params.workspaceIds))),
  });
  const creationIds = openCommands.filter(({ tool }) => tool === "create_workspace").map(({ id }) => id);
  const creationKey = creationIds.join();
  useEffect(() => {
    for (const id of creationKey.split(",").filter(Boolean)) trackCreation(organizationId, id);
  }, [organizationId, creationKey]);
  useRefreshAfter(ids.join());
  return { deleting };
}

const idsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];

/** Refetches the workspaces whenever the set of open commands changes. */
function useRefreshAfter(key: string): void {
  const cache = useQueryClient();
  useEffect(() => {
    void key;
    void cache.invalidateQueries(queries.workspace.list.pathFilter());
    void cache.invalidateQueries({ queryKey: ["deviceTool"] });
  }, [cache, key]);
}

const trackedKey = (organizationId: string): QueryKey => ["workspaceCreations", organizationId];

/** Lists a creation until it succeeds or is dismissed. */
export const trackCreation = (organizationId: string, id: string): void => {
  queryClient.setQueryData<string[]>(trackedKey(organizationId), (ids = []) =>
    ids.includes(id) ? ids : [id, ...ids],
  );
};

export const dismissCreation = (organizationId: string, id: string): void => {
  queryClient.setQueryData<string[]>(trackedKey(organizationId), (ids = []) =>
    ids.filter((each) => each !== id),
  );
};

/** Ids of the creations that this tab tracks, newest first. */
export const useTrackedCreations = (organizationId: string): string[] =>
  useQuery({
    queryKey: trackedKey(organizationId),
    queryFn: (): string[] => [],
    initialData: [],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  }).data;
