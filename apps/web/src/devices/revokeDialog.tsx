import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useOrganization } from "../hooks/useOrganization";
import { queries } from "../lib/api";
import { Confirmation } from "../ui/confirmation";
import { type DeviceDialogProps, refetchDevices } from "./deviceDialog";

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
        await refetchDevices();
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
      onConfirm={() => revoke.mutate({ organizationId, id })}
      onClose={onClose}
    >
      <p>
        The device's key stops working, and its open commands end as lost.{" "}
        {running > 0 && `${running === 1 ? "One agent is" : `${running} agents are`} running on it now. `}
        The files on the machine are kept. To use the machine again, register it again.
      </p>
    </Confirmation>
  );
}
