import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useOrganization } from "../../hooks/useOrganization";
import { queries } from "../../lib/api";
import { Page } from "../../ui/page";
import { Problem } from "../../ui/problem";
import { Progress } from "../../ui/progress";
import { useWorkspace } from "../useWorkspace";
import { DeleteForm } from "./deleteForm";
import { ForgetWorkspace } from "./forgetWorkspace";
import { useDeletion } from "./useDeletion";

const route = getRouteApi("/signed-in/o/$organization/workspaces/$workspaceId/delete");

/** Deletes a workspace on its device, or its record if the device is offline. */
export function DeletePage() {
  const { id: organizationId } = useOrganization();
  const { workspaceId } = route.useParams();
  const [isForgetting, setForgetting] = useState(false);
  const deletion = useDeletion();
  const { remove, outcome } = deletion;
  const isLeaving = remove.isPending || outcome === "open" || outcome === "removed" || isForgetting;
  const { data: workspace, error, refetch } = useWorkspace(organizationId, workspaceId, isLeaving);
  const devices = useQuery(queries.device.list.queryOptions({ organizationId }));
  const device = devices.data?.find(({ id }) => id === workspace?.deviceId);
  const isOnline = device?.status === "online";
  return (
    <Page title={`Delete ${workspace?.name ?? "a workspace"}`}>
      <div className="flex max-w-2xl flex-col gap-5">
        {error && !workspace && (
          <Problem title="Could not load this workspace." error={error} onRetry={() => void refetch()} />
        )}
        {workspace && devices.data && !isOnline && (
          <ForgetWorkspace workspace={workspace} device={device} onForgetting={setForgetting} />
        )}
        {isOnline && outcome === "open" && (
          <div role="status" className="flex flex-col gap-2">
            <p>Deleting…</p>
            <Progress label="Progress" fraction={null} />
          </div>
        )}
        {workspace && isOnline && outcome !== "open" && outcome !== "removed" && (
          <DeleteForm workspace={workspace} device={device} deletion={deletion} />
        )}
      </div>
    </Page>
  );
}
