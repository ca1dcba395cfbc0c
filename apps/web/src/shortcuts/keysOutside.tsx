import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useAnyOrganization } from "../hooks/useAnyOrganization";
import { authQuery, queries, queryClient } from "../lib/api";
import { runningSessions } from "../lib/runningSessions";
import { waitingSessionsOf } from "../lib/waitingSessions";
import { type Cover, Everywhere } from "./everywhere";

/** The keys of pages without the frame. Nothing is live there, so `.` asks for the agents when it is pressed. */
export function KeysOutside() {
  const [cover, setCover] = useState<Cover>();
  const navigate = useNavigate();
  const organization = useAnyOrganization();
  const { isPending } = useQuery(queries.organization.list.queryOptions());
  const jump = async () => {
    if (!organization) return;
    const params = { organization: organization.slug };
    const me = queryClient.getQueryData(authQuery.queryKey)?.session?.user.id ?? "";
    const running = await queryClient
      .fetchQuery({ ...runningSessions(organization.id), staleTime: 0 })
      // Now says what is wrong.
      .catch(() => []);
    const [next] = waitingSessionsOf(running, me);
    await (next
      ? navigate({ to: "/o/$organization/agents/$sessionId", params: { ...params, sessionId: next.id } })
      : navigate({ to: "/o/$organization", params }));
  };
  // Keys that are pressed until then wait.
  if (isPending) return null;
  return (
    <Everywhere
      {...{ cover, organization: organization?.slug, create: undefined }}
      onCover={setCover}
      jump={() => void jump()}
    />
  );
}
