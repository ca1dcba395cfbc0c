import type { ApiKey } from "@grove/schemas";
import { useMutation } from "@tanstack/react-query";
import { useOrganization } from "../hooks/useOrganization";
import { queries, queryClient } from "../lib/api";
import { Button } from "../ui/button";
import { Checkbox } from "../ui/checkbox";
import { Confirmation } from "../ui/confirmation";
import { Dialog, DialogButtons } from "../ui/dialog";
import { VisibleName } from "../ui/visibleName";

/** Revokes a key, and optionally the devices that were registered with it. */
export function RevokeKeyDialog({ apiKey: { id, name }, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const { id: organizationId } = useOrganization();
  const revoke = useMutation(
    queries.apiKey.revoke.mutationOptions({
      onSuccess: async ({ devices }) => {
        await queryClient.invalidateQueries(queries.apiKey.list.pathFilter());
        await queryClient.invalidateQueries(queries.device.pathFilter());
        if (!devices) onClose();
      },
    }),
  );
  const stay = revoke.data?.devices;
  if (stay)
    return (
      <Dialog title="Key revoked" open onOpenChange={onClose}>
        <p>These devices were registered with it. They have their own keys, and stay connected:</p>
        <ul className="list-disc pl-5">
          {stay.map((device) => (
            <li key={device.id}>
              <VisibleName>{device.name}</VisibleName>
            </li>
          ))}
        </ul>
        <DialogButtons>
          <Button look="primary" onClick={onClose}>
            Done
          </Button>
        </DialogButtons>
      </Dialog>
    );
  return (
    <Confirmation
      title={`Revoke ${name}?`}
      action="Revoke"
      change={revoke}
      failed="Could not revoke the key."
      onConfirm={(text) => revoke.mutate({ organizationId, id, revokeDevices: text("revokeDevices") !== "" })}
      onClose={onClose}
    >
      <p>
        Clients that use it are rejected from the next request on. Its commands that no device has taken are
        canceled.
      </p>
      <Checkbox name="revokeDevices" label="Also revoke its devices">
        Revokes the devices that were registered with this key. Choose this if the key was stolen.
      </Checkbox>
    </Confirmation>
  );
}
