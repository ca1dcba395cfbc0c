import { errorData } from "@grove/client";
import type { AgentSession } from "@grove/schemas";
import { useQuery } from "@tanstack/react-query";
import { queries } from "../lib/api";
import { Problem } from "../ui/problem";
import { VisibleName } from "../ui/visibleName";
import { whomToAsk } from "./whomToAsk";

interface NotReadableProps {
  organizationId: string;
  session: AgentSession;
  error: Error;
}

/** The terminal's place if its output cannot be read: the reason, and the people who may help. */
export function NotReadable({ organizationId, session, error }: NotReadableProps) {
  const isForbidden = errorData(error)?.reason === "role_required";
  const members = useQuery({
    ...queries.organization.listMembers.queryOptions({ organizationId }),
    enabled: isForbidden,
  });
  const devices = useQuery({ ...queries.device.list.queryOptions({ organizationId }), enabled: isForbidden });
  const deviceOwner = devices.data?.find(({ id }) => id === session.deviceId)?.ownerId;
  const names = members.data && whomToAsk(members.data, { startedBy: session.startedBy, deviceOwner });
  if (!isForbidden) return <Problem title="The terminal cannot be shown." error={error} />;
  return (
    <Problem title="You may not read what this agent prints." error={error}>
      {names && (
        <p>
          Ask <VisibleName>{names}</VisibleName>.
        </p>
      )}
    </Problem>
  );
}
