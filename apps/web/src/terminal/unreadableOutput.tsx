import { errorData } from "@grove/client";
import type { AgentSession } from "@grove/schemas";
import { useQuery } from "@tanstack/react-query";
import { queries } from "../lib/api";
import { Problem } from "../ui/problem";
import { VisibleName } from "../ui/visibleName";
import { accessContacts } from "./accessContacts";

interface UnreadableOutputProps {
  organizationId: string;
  session: AgentSession;
  error: Error;
}

/** Shown instead of a terminal whose output cannot be read: the reason, and the members who can help. */
export function UnreadableOutput({ organizationId, session, error }: UnreadableOutputProps) {
  const isForbidden = errorData(error)?.reason === "role_required";
  const members = useQuery({
    ...queries.organization.listMembers.queryOptions({ organizationId }),
    enabled: isForbidden,
  });
  const devices = useQuery({ ...queries.device.list.queryOptions({ organizationId }), enabled: isForbidden });
  const deviceOwner = devices.data?.find(({ id }) => id === session.deviceId)?.ownerId;
  const names = members.data && accessContacts(members.data, { startedBy: session.startedBy, deviceOwner });
  if (!isForbidden) return <Problem title="Could not open the terminal." error={error} />;
  return (
    <Problem title="You do not have access to this agent's output." error={error}>
      {names && (
        <p>
          Ask <VisibleName>{names}</VisibleName>.
        </p>
      )}
    </Problem>
  );
}
