import type { Workspace } from "@grove/schemas";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useOrganization } from "../hooks/useOrganization";
import { useStartSession } from "../hooks/useStartSession";
import { queries } from "../lib/api";
import { takePendingQuote } from "../lib/pendingQuote";

const route = getRouteApi("/signed-in/o/$organization/agents/new");

/** The state of the form: the workspace, the agent, its task and its prompt. */
export function useNewAgent() {
  const { id: organizationId, slug: organization } = useOrganization();
  const preselected = route.useSearch();
  const navigate = useNavigate();
  const workspaces = useQuery(queries.workspace.list.queryOptions({ organizationId }));
  const devices = useQuery(queries.device.list.queryOptions({ organizationId }));
  const { data: projects = [] } = useQuery(queries.project.list.queryOptions({ organizationId }));
  /** Distinguishes workspaces of the same name. */
  const placeOf = ({ projectId, deviceId: onDevice }: Workspace): string =>
    [projects.find(({ id }) => id === projectId)?.name, devices.data?.find(({ id }) => id === onDevice)?.name]
      .filter((name) => name !== undefined)
      .join(", ");
  const [selectedId, setSelectedId] = useState<string>();
  const [agent, setAgent] = useState(preselected.agent ?? "");
  const [prompt, setPrompt] = useState(() => takePendingQuote(preselected.workspace) ?? "");
  const workspaceId = selectedId ?? preselected.workspace ?? workspaces.data?.[0]?.id ?? "";
  const workspace = workspaces.data?.find(({ id }) => id === workspaceId);
  const deviceId = workspace?.deviceId ?? "";
  const device = devices.data?.find(({ id }) => id === deviceId);
  const taskId = preselected.task;
  const task = useQuery({
    ...queries.task.get.queryOptions({ organizationId, id: taskId ?? "" }),
    enabled: taskId !== undefined,
  }).data;
  const start = useStartSession((sessionId) =>
    navigate({ to: "/o/$organization/agents/$sessionId", params: { organization, sessionId } }),
  );
  const params = {
    workspaceId,
    ...(prompt && { prompt }),
    ...(agent && { agent }),
    ...(taskId && { taskId }),
  };
  return {
    workspaces,
    devices,
    workspaceId,
    workspace,
    placeOf,
    device,
    task,
    agent,
    setAgent,
    prompt,
    setPrompt,
    start,
    selectWorkspace: (id: string) => {
      setSelectedId(id);
      setAgent("");
    },
    submit: () => start.mutate({ deviceId, params }),
  };
}
