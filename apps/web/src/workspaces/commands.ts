import type { Outputs } from "@grove/client";
import { type QueryKey, useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { queries, queryClient } from "../lib/api";
import { isOpen } from "./stateLabels";

export type Command = Outputs["agent"]["getCommand"];

const OPEN_COMMAND_POLL_MS = 1_000;
const LIST_POLL_MS = 4_000;
const OPEN = ["queued", "claimed", "running"] as const;

/** Reads a command, and polls it until it is settled. */
export const useCommand = (organizationId: string, id: string) =>
  useQuery(
    queries.agent.getCommand.queryOptions(
      { organizationId, id },
      {
        refetchInterval: ({ state }) =>
          state.data && !isOpen(state.data.status) ? false : OPEN_COMMAND_POLL_MS,
      },
    ),
  );

/** Returns the workspaces being deleted, and tracks open creations; those of other members if the user may see them. */
export function useOpenCommands(organizationId: string) {
  const listed = useQueries({
    queries: OPEN.map((status) =>
      queries.agent.listCommands.queryOptions(
        { organizationId, status, limit: 100 },
        { refetchInterval: LIST_POLL_MS },
      ),
    ),
    combine: (results) =>
      results
        .flatMap(({ data }) => data ?? [])
        .filter(({ tool }) => tool === "create_workspace" || tool === "delete_workspace"),
  });
  const ids = [...new Set(listed.map(({ id }) => id))];
  const deleting = useQueries({
    queries: listed
      .filter(({ tool }) => tool === "delete_workspace")
      .map(({ id }) =>
        queries.agent.getCommand.queryOptions(
          { organizationId, id },
          { staleTime: Number.POSITIVE_INFINITY },
        ),
      ),
    combine: (results) => new Set(results.flatMap(({ data }) => idsOf(data?.params.workspaceIds))),
  });
  const making = listed.filter(({ tool }) => tool === "create_workspace").map(({ id }) => id);
  const makingKey = making.join();
  useEffect(() => {
    for (const id of makingKey.split(",").filter(Boolean)) trackCreation(organizationId, id);
  }, [organizationId, makingKey]);
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
  queryClient.setQueryData<string[]>(trackedKey(organizationId), (known = []) =>
    known.includes(id) ? known : [id, ...known],
  );
};

export const dismissCreation = (organizationId: string, id: string): void => {
  queryClient.setQueryData<string[]>(trackedKey(organizationId), (known = []) =>
    known.filter((one) => one !== id),
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
