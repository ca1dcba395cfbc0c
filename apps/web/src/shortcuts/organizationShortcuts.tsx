import { useNavigate, useRouterState } from "@tanstack/react-router";
import { useCallback } from "react";
import { navigation } from "../app/navigation";
import { useOrganization } from "../hooks/useOrganization";
import { useReportPresence } from "../hooks/useReportPresence";
import { useWaitingSessions } from "../hooks/useWaitingSessions";
import { useNotifications } from "../lib/agentSessions/desktopNotifications";
import { nextWaitingSession } from "../lib/agentSessions/waitingSessions";
import { useTitleCount } from "../ui/page";
import { GlobalShortcuts, type OverlayProps } from "./globalShortcuts";
import type { Shortcut } from "./useShortcuts";

/**
 * The global shortcuts inside an organization. Also shows waiting agents in the tab's title and as notifications, and
 * reports that the user is present. The letters after `g` are in `app/navigation.ts`.
 */
export function OrganizationShortcuts(overlayProps: OverlayProps) {
  const waitingSessions = useWaitingSessions();
  const navigate = useNavigate();
  const { slug: organization } = useOrganization();
  const open = useCallback(
    (sessionId: string) =>
      void navigate({ to: "/o/$organization/agents/$sessionId", params: { organization, sessionId } }),
    [navigate, organization],
  );
  useTitleCount(waitingSessions?.length ?? 0);
  useNotifications(waitingSessions, open);
  useReportPresence();

  // `/o/acme/agents/1`
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const [, , , feature = "", sessionId] = path.split("/");
  const openNextAgent = () => {
    const next = nextWaitingSession(waitingSessions ?? [], feature === "agents" ? sessionId : undefined);
    if (next) open(next.id);
    else void navigate({ to: "/o/$organization", params: { organization } });
  };
  const createShortcut = useCreateShortcut(feature);
  return (
    <GlobalShortcuts
      organization={organization}
      openNextAgent={openNextAgent}
      createShortcut={createShortcut}
      {...overlayProps}
    />
  );
}

/** Returns the page's "New …" shortcut. */
function useCreateShortcut(feature: string): Shortcut | undefined {
  const navigate = useNavigate();
  const { slug: organization } = useOrganization();
  const create = navigation.find(
    ({ link }) => link.to === (feature === "" ? "/o/$organization" : `./${feature}`),
  )?.create;
  return (
    create && {
      keys: "n",
      title: create.title,
      run: () => void navigate({ ...create.link, params: { organization } }),
    }
  );
}
