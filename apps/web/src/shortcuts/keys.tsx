import { useNavigate, useRouterState } from "@tanstack/react-router";
import { useCallback } from "react";
import { navigation } from "../app/navigation";
import { useOrganization } from "../hooks/useOrganization";
import { useWaitingSessions } from "../hooks/useWaitingSessions";
import { useNotifications } from "../lib/desktopNotifications";
import { nextWaitingSession } from "../lib/waitingSessions";
import { useTitleCount } from "../ui/page";
import { type CoverProps, Everywhere } from "./everywhere";
import type { Shortcut } from "./shortcuts";

/** The keys inside the frame; and the tab's own ways to call the person. */
export function Keys(covers: CoverProps) {
  const asking = useWaitingSessions();
  const navigate = useNavigate();
  const { slug: organization } = useOrganization();
  const open = useCallback(
    (sessionId: string) =>
      void navigate({ to: "/o/$organization/agents/$sessionId", params: { organization, sessionId } }),
    [navigate, organization],
  );
  useTitleCount(asking?.length ?? 0);
  useNotifications(asking, open);

  // `/o/acme/agents/1`
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const [, , , room = "", thing] = path.split("/");
  const jump = () => {
    const next = nextWaitingSession(asking ?? [], room === "agents" ? thing : undefined);
    if (next) open(next.id);
    else void navigate({ to: "/o/$organization", params: { organization } });
  };
  const create = useCreate(room);
  return <Everywhere {...{ organization, jump, create }} {...covers} />;
}

/** The new thing of a room. */
function useCreate(room: string): Shortcut | undefined {
  const navigate = useNavigate();
  const { slug: organization } = useOrganization();
  const create = navigation.find(
    ({ link }) => link.to === (room === "" ? "/o/$organization" : `./${room}`),
  )?.create;
  return (
    create && {
      keys: "n",
      title: create.title,
      run: () => void navigate({ ...create.link, params: { organization } }),
    }
  );
}
