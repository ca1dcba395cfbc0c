import type { Task } from "@grove/schemas";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useOrganization } from "../../hooks/useOrganization";
import { queries } from "../../lib/api";
import { defaultPrompt } from "./defaultPrompt";
import { newDelegation } from "./delegationState";
import { runDelegation } from "./runDelegation";

const MAX_NAME_LENGTH = 200;

/** The state of the form that hands a task over, and the project, workspace and device to choose from. */
export function useDelegationForm(task: Task, onStarted: () => void) {
  const { id: organizationId } = useOrganization();
  const projects = useQuery(queries.project.list.queryOptions({ organizationId })).data ?? [];
  const devices = useQuery(queries.device.list.queryOptions({ organizationId }));
  const workspaces = useQuery(queries.workspace.list.queryOptions({ organizationId })).data ?? [];
  const [selection, setSelection] = useState<{ project?: string; device?: string; workspace?: string }>({});
  const [branch, setBranch] = useState(task.branch ?? task.slug);
  const [agent, setAgent] = useState("");
  const [prompt, setPrompt] = useState(() => defaultPrompt(task));
  const projectId = selection.project ?? task.projectId ?? projects[0]?.id ?? "";
  // Prefers a workspace that already has the task's branch checked out.
  const branchWorkspaces = workspaces.filter(
    (workspace) =>
      workspace.projectId === projectId &&
      workspace.deviceId !== null &&
      task.branch !== null &&
      workspace.config.branchName === task.branch,
  );
  const workspaceId = selection.workspace ?? branchWorkspaces[0]?.id;
  const workspace = branchWorkspaces.find(({ id }) => id === workspaceId);
  const devicesByPresence = (devices.data ?? []).toSorted((a, b) => b.status.localeCompare(a.status));
  const deviceId = workspace?.deviceId ?? selection.device ?? devicesByPresence[0]?.id;
  const device = devicesByPresence.find(({ id }) => id === deviceId);
  const isReady = device !== undefined && projectId !== "";
  return {
    projects,
    projectId,
    branchWorkspaces,
    workspace,
    devicesByPresence,
    device,
    branch,
    setBranch,
    agent,
    setAgent,
    prompt,
    setPrompt,
    isReady,
    selectProject: (project: string) => setSelection({ ...selection, project }),
    selectWorkspace: (workspace: string) => setSelection({ ...selection, workspace }),
    selectDevice: (device: string) => {
      setSelection({ ...selection, device });
      setAgent("");
    },
    /** The item that the organization must add first. Undefined until the devices are loaded. */
    missingItem: devices.data && !isReady ? (projects.length === 0 ? "a project" : "a machine") : undefined,
    submit: () => {
      if (!isReady) return;
      const order = {
        taskId: task.id,
        organizationId,
        projectId,
        agent,
        prompt,
        device: { id: device.id, name: device.name },
        workspaceId: workspace?.id,
        request: { name: task.title.slice(0, MAX_NAME_LENGTH), branchName: branch.trim() },
      };
      void runDelegation(newDelegation(order));
      onStarted();
    },
  };
}

export type DelegationFormState = ReturnType<typeof useDelegationForm>;
