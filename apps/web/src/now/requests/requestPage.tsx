import { errorData } from "@grove/client";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Inbox } from "lucide-react";
import { useOrganization } from "../../hooks/useOrganization";
import { queries } from "../../lib/api";
import { buttonClass } from "../../ui/button";
import { EmptyState } from "../../ui/emptyState";
import { Page } from "../../ui/page";
import { Problem } from "../../ui/problem";
import { Skeleton } from "../../ui/skeleton";
import { isReadable } from "./groupRequests";
import { RequestList } from "./requestList";
import { requestQuery } from "./requestsQuery";

const route = getRouteApi("/signed-in/o/$organization/requests/$requestId");

/** One request of an agent. Once it is settled, the page shows who answered, and whether the agent got the answer. */
export function RequestPage() {
  const { id: organizationId, slug: organization } = useOrganization();
  const { requestId } = route.useParams();
  const read = useQuery(requestQuery(organizationId, requestId));
  const { data: request, error } = read;
  const session = useQuery({
    ...queries.agent.getSession.queryOptions({ organizationId, id: request?.sessionId ?? "" }),
    enabled: request !== undefined,
  });
  const workspaces = useQuery(queries.workspace.list.queryOptions({ organizationId }));
  const devices = useQuery(queries.device.list.queryOptions({ organizationId }));
  const isMissing = errorData(error)?.code === "NOT_FOUND";
  return (
    <Page
      title="Request of an agent"
      actions={
        <Link to="/o/$organization" params={{ organization }} className={buttonClass()}>
          All requests
        </Link>
      }
    >
      {error && !request && !isMissing && (
        <Problem title="Could not load the request." error={error} onRetry={() => void read.refetch()} />
      )}
      {read.isPending && <Skeleton />}
      {request && isReadable(request) && (
        <RequestList
          key={requestId}
          requests={[request]}
          openIds={new Set(request.status === "open" ? [requestId] : [])}
          sessions={session.data ? [session.data] : []}
          workspaces={workspaces.data ?? []}
          devices={devices.data ?? []}
        />
      )}
      {request && !isReadable(request) && (
        <EmptyState icon={Inbox} title="You may not read this request">
          Only the person who started the agent, the device's owner and organization admins can read and
          answer it.
        </EmptyState>
      )}
      {!request && isMissing && (
        <EmptyState icon={Inbox} title="Request not found">
          It was deleted with its agent.
        </EmptyState>
      )}
    </Page>
  );
}
