import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useAnyOrganization } from "../hooks/useAnyOrganization";
import { waitingSessionsOf } from "../lib/agentSessions/waitingSessions";
import { authQuery, queries, queryClient } from "../lib/api";
import { runningSessionsQuery } from "../lib/queries/runningSessionsQuery";
import { GlobalShortcuts, type Overlay } from "./globalShortcuts";

/** The global shortcuts of pages outside an organization. They have no live stream, so `.` fetches the agents. */
export function StandaloneShortcuts() {
  const [overlay, setOverlay] = useState<Overlay>();
  const navigate = useNavigate();
  const organization = useAnyOrganization();
  const { isPending } = useQuery(queries.organization.list.queryOptions());
  const openNextAgent = async () => {
    if (!organization) return;
    const params = { organization: organization.slug };
    const me = queryClient.getQueryData(authQuery.queryKey)?.session?.user.id ?? "";
    const running = await queryClient
      .fetchQuery({ ...runningSessionsQuery(organization.id), staleTime: 0 })
      // The Now page shows the error.
      .catch(() => []);
    const [next] = waitingSessionsOf(running, me);
    await (next
      ? navigate({ to: "/o/$organization/agents/$sessionId", params: { ...params, sessionId: next.id } })
      : navigate({ to: "/o/$organization", params }));
  };
  // Keys pressed before that are queued.
  if (isPending) return null;
  return (
    <GlobalShortcuts
      overlay={overlay}
      organization={organization?.slug}
      createShortcut={undefined}
      onOverlay={setOverlay}
      openNextAgent={() => void openNextAgent()}
    />
  );
}
