import type { Outputs } from "@grove/client";
import { type QueryKey, useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { queries, queryClient } from "../lib/api";
import { isOpen } from "./words";

export type Command = Outputs["agent"]["getCommand"];

const FOLLOW_MS = 1_000;
const LOOK_MS = 4_000;
const OPEN = ["queued", "claimed", "running"] as const;

/** One command, read again every second until it is settled. */
export const useCommand = (organizationId: string, id: string) =>
  useQuery(
    queries.agent.getCommand.queryOptions(
      { organizationId, id },
      { refetchInterval: ({ state }) => (state.data && !isOpen(state.data.status) ? false : FOLLOW_MS) },
    ),
  );

/** The open commands that make or delete workspaces, with their parameters; of other people for those who may see. */
export function useOpenCommands(organizationId: string) {
  const listed = useQueries({
    queries: OPEN.map((status) =>
      queries.agent.listCommands.queryOptions(
        { organizationId, status, limit: 100 },
        { refetchInterval: LOOK_MS },
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
    for (const id of makingKey.split(",").filter(Boolean)) remember(organizationId, id);
  }, [organizationId, makingKey]);
  useRefreshAfter(ids.join());
  return { deleting };
}

const idsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];

/** Reads the workspaces again whenever other commands are open than before. */
function useRefreshAfter(key: string): void {
  const cache = useQueryClient();
  useEffect(() => {
    void key;
    void cache.invalidateQueries(queries.workspace.list.pathFilter());
    void cache.invalidateQueries({ queryKey: ["deviceTool"] });
  }, [cache, key]);
}

const rememberedKey = (organizationId: string): QueryKey => ["makings", organizationId];

/** Keeps a command that makes workspaces in the list until it has succeeded or is put away. */
export const remember = (organizationId: string, id: string): void => {
  queryClient.setQueryData<string[]>(rememberedKey(organizationId), (known = []) =>
    known.includes(id) ? known : [id, ...known],
  );
};

export const putAway = (organizationId: string, id: string): void => {
  queryClient.setQueryData<string[]>(rememberedKey(organizationId), (known = []) =>
    known.filter((one) => one !== id),
  );
};

/** The commands that make workspaces, newest first, as this tab has seen them. */
export const useRemembered = (organizationId: string): string[] =>
  useQuery({
    queryKey: rememberedKey(organizationId),
    queryFn: (): string[] => [],
    initialData: [],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  }).data;
