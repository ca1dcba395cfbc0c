import type { Connection } from "@grove/schemas";
import { providerNames } from "../../components/providerNames";
import { useMutationWithRefetch } from "../../hooks/useMutationWithRefetch";
import { useOrganization } from "../../hooks/useOrganization";
import { queries } from "../../lib/api";
import { Confirmation } from "../../ui/formDialog";
import { VisibleName } from "../../ui/visibleName";

interface DisconnectDialogProps {
  connection: Connection;
  onClose: () => void;
}

/** Ends a connection, and removes its webhooks. */
export function DisconnectDialog({ connection, onClose }: DisconnectDialogProps) {
  const { id: organizationId } = useOrganization();
  const end = useMutationWithRefetch(queries.integration.disconnect.mutationOptions(), {
    refetch: [queries.integration.pathFilter()],
    onDone: onClose,
  });
  return (
    <Confirmation
      title={`Disconnect ${providerNames[connection.provider]}?`}
      action="Disconnect"
      change={end}
      failed="Could not disconnect the account."
      onSubmit={() => end.mutate({ organizationId, id: connection.id })}
      onClose={onClose}
    >
      <p>
        Grove deletes the credentials of <VisibleName>{connection.accountName}</VisibleName> and removes its
        webhooks. Tasks made from its issues stay.
      </p>
    </Confirmation>
  );
}
