import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useOrganization } from "../../hooks/useOrganization";
import { queries, queryClient } from "../../lib/api";
import { Confirmation } from "../../ui/formDialog";
import type { DeviceDialogProps } from "./deviceDialogProps";

/** Revokes a device permanently. The user confirms by typing its name. */
export function RevokeDialog({ device, onClose }: DeviceDialogProps) {
  const { id, organizationId, name } = device;
  const { slug } = useOrganization();
  const navigate = useNavigate();
  const agents = useQuery(
    queries.agent.listSessions.queryOptions({ organizationId, deviceId: id, status: "running" }),
  );
  const revoke = useMutation(
    queries.device.revoke.mutationOptions({
      onSuccess: async () => {
        await navigate({ to: "/o/$organization/devices", params: { organization: slug } });
        await queryClient.invalidateQueries(queries.device.pathFilter());
      },
    }),
  );
  const running = agents.data?.length ?? 0;
  return (
    <Confirmation
      title="Revoke the device?"
      action="Revoke"
      textToType={name}
      change={revoke}
      failed="Could not revoke the device."
      onSubmit={() => revoke.mutate({ organizationId, id })}
      onClose={onClose}
    >
      <p>
        The device's key stops working, and its unfinished commands are marked as lost.{" "}
        {running > 0 && `${running === 1 ? "One agent is" : `${running} agents are`} running on it now. `}
        The files on the machine are kept. To use the machine again, register it again.
      </p>
    </Confirmation>
  );
}
