import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Building2, FolderGit2, Layers, MonitorDot } from "lucide-react";
import { stateStyles } from "../components/sessionState";
import { useAnyOrganization } from "../hooks/useAnyOrganization";
import { useOptionalOrganization } from "../hooks/useOptionalOrganization";
import { stateLabel, stateOf, waitsForInput } from "../lib/agentSessions/sessionActivity";
import { sessionName } from "../lib/agentSessions/sessionName";
import { queries } from "../lib/api";
import { projectParam } from "../lib/projectParam";
import { runningSessionsQuery } from "../lib/queries/runningSessionsQuery";
import { repositoryLabel } from "../lib/repositoryLabel";
import type { EntryGroup } from "../ui/searchDialog";

/* The organization's items, by kind. Cached data is shown immediately, and refetched. */

/** Returns options for the queries of the organization's items, and a function that opens an item. */
function useItems() {
  const { id: organizationId = "", slug: organization = "" } = useAnyOrganization() ?? {};
  const input = { organizationId };
  const enabled = organizationId !== "";
  return { input, enabled, organization, navigate: useNavigate() };
}

/** Returns the running agents, those that wait for input first. */
export function useAgentEntries(): EntryGroup {
  const { input, enabled, organization, navigate } = useItems();
  const running = useQuery({ ...runningSessionsQuery(input.organizationId), enabled }).data ?? [];
  const workspaces = useQuery({ ...queries.workspace.list.queryOptions(input), enabled }).data ?? [];
  return {
    value: "Agents",
    items: running
      .toSorted((a, b) => Number(waitsForInput(b)) - Number(waitsForInput(a)))
      .map((session) => ({
        id: session.id,
        title: sessionName(session),
        hint: [session.agent, workspaces.find(({ id }) => id === session.workspaceId)?.name].join(" "),
        icon: stateStyles[stateOf(session)].icon,
        end: <span className="text-muted text-xs">{stateLabel(session)}</span>,
        run: () =>
          void navigate({
            to: "/o/$organization/agents/$sessionId",
            params: { organization, sessionId: session.id },
          }),
      })),
  };
}

export function useWorkspaceEntries(): EntryGroup {
  const { input, enabled, organization, navigate } = useItems();
  const workspaces = useQuery({ ...queries.workspace.list.queryOptions(input), enabled }).data ?? [];
  const devices = useQuery({ ...queries.device.list.queryOptions(input), enabled }).data ?? [];
  return {
    value: "Workspaces",
    items: workspaces.map(({ id, name, deviceId }) => ({
      id,
      title: name,
      hint: devices.find((device) => device.id === deviceId)?.name,
      icon: Layers,
      run: () =>
        void navigate({
          to: "/o/$organization/workspaces/$workspaceId",
          params: { organization, workspaceId: id },
        }),
    })),
  };
}

export function useProjectEntries(): EntryGroup {
  const { input, enabled, organization, navigate } = useItems();
  const projects = useQuery({ ...queries.project.list.queryOptions(input), enabled }).data ?? [];
  return {
    value: "Projects",
    items: projects.map((project) => ({
      id: project.id,
      title: project.name,
      hint: repositoryLabel(project),
      icon: FolderGit2,
      run: () =>
        void navigate({
          to: "/o/$organization/projects/$project",
          params: { organization, project: projectParam(project) },
        }),
    })),
  };
}

export function useDeviceEntries(): EntryGroup {
  const { input, enabled, organization, navigate } = useItems();
  const devices = useQuery({ ...queries.device.list.queryOptions(input), enabled }).data ?? [];
  return {
    value: "Devices",
    items: devices.map(({ id, name, status }) => ({
      id,
      title: name,
      hint: status === "offline" ? "offline" : undefined,
      icon: MonitorDot,
      run: () =>
        void navigate({
          to: "/o/$organization/devices/$deviceId",
          params: { organization, deviceId: id },
        }),
    })),
  };
}

/** Returns the user's other organizations. */
export function useOrganizationEntries(): EntryGroup {
  const current = useOptionalOrganization();
  const navigate = useNavigate();
  const organizations = useQuery(queries.organization.list.queryOptions()).data ?? [];
  return {
    value: "Organizations",
    items: organizations
      .filter(({ slug }) => slug !== current?.slug)
      .map(({ id, name, slug }) => ({
        id,
        title: name,
        icon: Building2,
        run: () => void navigate({ to: "/o/$organization", params: { organization: slug } }),
      })),
  };
}
