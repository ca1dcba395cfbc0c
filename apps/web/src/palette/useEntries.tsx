import { useQuery } from "@tanstack/react-query";
import { linkOptions, useNavigate } from "@tanstack/react-router";
import {
  Bot,
  Building2,
  CircleUserRound,
  FolderGit2,
  Layers,
  MessageCircleQuestion,
  MonitorDot,
  Plus,
  Settings,
  SquareKanban,
  Zap,
} from "lucide-react";
import { useEffect, useState } from "react";
import { navigation } from "../app/navigation";
import { useAnyOrganization } from "../hooks/useAnyOrganization";
import { useOptionalOrganization } from "../hooks/useOptionalOrganization";
import { queries } from "../lib/api";
import { projectParam } from "../lib/projectParam";
import { runningSessions } from "../lib/runningSessions";
import { KeyCaps } from "../shortcuts/keyCaps";
import { currentGroups } from "../shortcuts/shortcuts";
import type { EntryGroup } from "../ui/finder";

/** Pages that are not in the navigation: the organization's settings, and the user's own pages. */
const settings = {
  title: "Organization settings",
  icon: Settings,
  link: linkOptions({ to: "/o/$organization/settings", params: { organization: "" } }),
};
const ownPages = [
  { title: "Your account", icon: CircleUserRound, link: linkOptions({ to: "/account" }) },
  { title: "New organization", icon: Plus, link: linkOptions({ to: "/new-organization" }) },
];

/** Returns the groups that need no search by the API. Cached data is shown immediately, and refetched. */
export function useEntries(): EntryGroup[] {
  const { id: organizationId = "", slug: organization = "" } = useAnyOrganization() ?? {};
  const enabled = organizationId !== "";
  const navigate = useNavigate();
  const running = useQuery({ ...runningSessions(organizationId), enabled }).data ?? [];
  const input = { organizationId };
  const workspaces = useQuery({ ...queries.workspace.list.queryOptions(input), enabled }).data ?? [];
  const projects = useQuery({ ...queries.project.list.queryOptions(input), enabled }).data ?? [];
  const devices = useQuery({ ...queries.device.list.queryOptions(input), enabled }).data ?? [];
  const organizations = useQuery(queries.organization.list.queryOptions()).data ?? [];
  const shown = useOptionalOrganization();
  // A snapshot: the page below does not change while the palette is open.
  const [groups] = useState(currentGroups);
  const rooms = navigation.map(({ title }) => title);
  const actions = groups
    .flatMap(({ shortcuts }) => shortcuts)
    .filter(({ run, keys, title }) => run && keys !== "mod+k" && !rooms.includes(title));
  return [
    {
      value: "Actions",
      items: actions.map(({ keys, title, run = () => undefined }) => ({
        id: keys,
        title,
        icon: Zap,
        end: <KeyCaps keys={keys} />,
        run,
      })),
    },
    {
      value: "Go to",
      items: [
        ...(enabled ? navigation : []).map(({ title, icon, key, link }) => ({
          id: title,
          title,
          icon,
          end: <KeyCaps keys={`g ${key}`} />,
          run: () => void navigate({ ...link, params: { organization } }),
        })),
        ...[...(enabled ? [settings] : []), ...ownPages].map(({ title, icon, link }) => ({
          id: title,
          title,
          icon,
          run: () => void navigate({ ...link, params: { organization } }),
        })),
      ],
    },
    {
      value: "Agents",
      items: running
        .toSorted((a, b) => Number(b.waitingForInput) - Number(a.waitingForInput))
        .map(({ id, agent, workspaceId, waitingForInput }) => ({
          id,
          title: agent,
          hint: workspaces.find((workspace) => workspace.id === workspaceId)?.name,
          icon: waitingForInput ? MessageCircleQuestion : Bot,
          end: waitingForInput && <span className="text-muted text-xs">Waits</span>,
          run: () =>
            void navigate({
              to: "/o/$organization/agents/$sessionId",
              params: { organization, sessionId: id },
            }),
        })),
    },
    {
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
    },
    {
      value: "Projects",
      items: projects.map((project) => ({
        id: project.id,
        title: project.name,
        hint: `${project.repoOwner}/${project.repoName}`,
        icon: FolderGit2,
        run: () =>
          void navigate({
            to: "/o/$organization/projects/$project",
            params: { organization, project: projectParam(project) },
          }),
      })),
    },
    {
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
    },
    {
      value: "Organizations",
      items: organizations
        .filter(({ slug }) => slug !== shown?.slug)
        .map(({ id, name, slug }) => ({
          id,
          title: name,
          icon: Building2,
          run: () => void navigate({ to: "/o/$organization", params: { organization: slug } }),
        })),
    },
  ];
}

const PAUSE_MS = 150;
/** A single letter finds too much. */
const LEAST = 2;

/** The tasks that a text finds, asked for once the typing pauses. */
export function useTaskEntries(text: string): { group: EntryGroup; busy: boolean } {
  const { id: organizationId = "", slug: organization = "" } = useAnyOrganization() ?? {};
  const enabled = organizationId !== "";
  const navigate = useNavigate();
  const query = text.trim();
  const search = usePaused(query);
  const tasks = useQuery({
    ...queries.task.list.queryOptions({ organizationId, search, limit: 8 }),
    enabled: enabled && search.length >= LEAST,
  });
  const statuses =
    useQuery({ ...queries.task.listStatuses.queryOptions({ organizationId }), enabled }).data ?? [];
  const items = query === search && search.length >= LEAST ? (tasks.data ?? []) : [];
  return {
    busy: query.length >= LEAST && (query !== search || tasks.isFetching),
    group: {
      value: "Tasks",
      items: items.map(({ id, slug, title, status }) => ({
        id,
        title,
        hint: statuses.find(({ key }) => key === status)?.name,
        icon: SquareKanban,
        run: () =>
          void navigate({ to: "/o/$organization/tasks/$task", params: { organization, task: slug } }),
      })),
    },
  };
}

/** A text, once it has stayed the same for a moment. */
function usePaused(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return paused;
}
