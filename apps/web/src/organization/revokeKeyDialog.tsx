import type { ApiKey } from "@grove/schemas";
import { useMutationWithRefetch } from "../hooks/useMutationWithRefetch";
import { useOrganization } from "../hooks/useOrganization";
import { queries } from "../lib/api";
import { Button } from "../ui/button";
import { Checkbox } from "../ui/checkbox";
import { Dialog, DialogButtons } from "../ui/dialog";
import { Confirmation } from "../ui/formDialog";
import { VisibleName } from "../ui/visibleName";

/** Revokes a key, and optionally the devices that were registered with it. */
export function RevokeKeyDialog({ apiKey: { id, name }, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const { id: organizationId } = useOrganization();
  const revoke = useMutationWithRefetch(queries.apiKey.revoke.mutationOptions(), {
    refetch: [queries.apiKey.list.pathFilter(), queries.device.pathFilter()],
    onDone: ({ devices }) => {
      if (!devices) onClose();
    },
  });
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
      onSubmit={(text) => revoke.mutate({ organizationId, id, revokeDevices: text("revokeDevices") !== "" })}
      onClose={onClose}
    >
      <p>Clients that use it are rejected immediately. Its queued commands are canceled.</p>
      <Checkbox name="revokeDevices" label="Also revoke its devices">
        Revokes the devices that were registered with this key. Choose this if the key was stolen.
      </Checkbox>
    </Confirmation>
  );
}
