import { useMutation, useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useOrganization } from "../../hooks/useOrganization";
import { queries } from "../../lib/api";
import { newId } from "../../lib/newId";
import { trackCreation } from "../workspaceCommands";
import { startAgentsWhenCreated } from "./agentStarts";
import { type Draft, draftOf, requestOf } from "./workspaceDraft";

const route = getRouteApi("/signed-in/o/$organization/workspaces/new");

/** The value of an agent field: the device's default agent, or none. */
const DEFAULT_AGENT = "";
export const NO_AGENT = "-";

/**
 * The state of the form that starts work: the prompt and its agent, the project, the device and the workspaces, and the
 * command that creates them.
 */
export function useNewWorkspaces() {
  const { id: organizationId, slug: organization } = useOrganization();
  const preselected = route.useSearch();
  const navigate = useNavigate();
  const projects = useQuery(queries.project.list.queryOptions({ organizationId }));
  const devices = useQuery(queries.device.list.queryOptions({ organizationId }));
  const [drafts, setDrafts] = useState<Draft[]>(() => [draftOf(preselected.request)]);
  const [selection, setSelection] = useState<{ project?: string; device?: string }>({});
  // One key per submission, so that a double click or a retry after a lost response creates nothing twice.
  const [idempotencyKey, setIdempotencyKey] = useState(() => newId());
  const devicesByPresence = (devices.data ?? []).toSorted((a, b) => b.status.localeCompare(a.status));
  const projectId = selection.project ?? preselected.project ?? projects.data?.[0]?.id ?? "";
  const deviceId = selection.device ?? preselected.device ?? devicesByPresence[0]?.id ?? "";
  const [prompt, setPrompt] = useState("");
  const [selectedAgent, setAgent] = useState<string>();
  // A prompt is for an agent. Without one, only the workspace is created, unless an agent was selected.
  const agent = selectedAgent ?? (prompt.trim() ? DEFAULT_AGENT : NO_AGENT);
  const create = useMutation(
    queries.agent.execute.mutationOptions({
      onSuccess: async ({ id: commandId }) => {
        trackCreation(organizationId, commandId);
        if (agent !== NO_AGENT)
          void startAgentsWhenCreated({ organizationId, deviceId, commandId, agent, prompt });
        await navigate({
          to: "/o/$organization/workspaces/creating/$commandId",
          params: { organization, commandId },
        });
      },
    }),
  );
  return {
    projects,
    devices,
    devicesByPresence,
    projectId,
    deviceId,
    drafts,
    create,
    prompt,
    setPrompt,
    agent,
    setAgent,
    startsAgents: agent !== NO_AGENT,
    isRetry: preselected.request !== undefined,
    project: projects.data?.find(({ id }) => id === projectId),
    device: devices.data?.find(({ id }) => id === deviceId),
    select: (change: { project?: string; device?: string }) => {
      setSelection({ ...selection, ...change });
      setIdempotencyKey(newId());
    },
    editDrafts: (change: (drafts: Draft[]) => Draft[]) => {
      setDrafts(change);
      setIdempotencyKey(newId());
    },
    submit: () =>
      create.mutate({
        organizationId,
        deviceId,
        tool: "create_workspace",
        params: { projectId, workspaces: drafts.map(requestOf) },
        waitMs: 0,
        ifOffline: "queue",
        idempotencyKey,
      }),
  };
}

export type NewWorkspaces = ReturnType<typeof useNewWorkspaces>;
