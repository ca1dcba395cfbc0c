import type { AdminUser } from "@grove/schemas";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useMutationWithRefetch } from "../hooks/useMutationWithRefetch";
import { useUser } from "../hooks/useOrganization";
import { queries } from "../lib/api";
import { roleLabels } from "../lib/roleLabels";
import { Button } from "../ui/button";
import { DescriptionList } from "../ui/descriptionList";
import { Dialog, DialogButtons } from "../ui/dialog";
import { Confirmation } from "../ui/formDialog";
import { Problem } from "../ui/problem";
import { Skeleton } from "../ui/skeleton";
import { VisibleName } from "../ui/visibleName";

interface UserDialogProps {
  user: AdminUser;
  onClose: () => void;
}

/** An account's organizations and credentials. Disables, enables and deletes the account. */
export function UserDialog({ user: { id, name, email }, onClose }: UserDialogProps) {
  const me = useUser();
  const details = useQuery(queries.admin.getUser.queryOptions({ id }));
  const [isDeleting, setDeleting] = useState(false);
  const setDisabled = useMutationWithRefetch(queries.admin.setUserDisabled.mutationOptions(), {
    refetch: [queries.admin.pathFilter()],
  });
  const reason = id === me.id ? "You cannot disable or delete your own account here." : undefined;
  if (isDeleting) return <DeleteDialog id={id} email={email} onClose={onClose} />;
  const isDisabled = details.data?.disabledAt != null;
  return (
    <Dialog title={name} open onOpenChange={onClose}>
      {details.error && <Problem title="Could not load the account." error={details.error} />}
      {setDisabled.error && <Problem title="Could not change the account." error={setDisabled.error} />}
      {details.isPending && <Skeleton />}
      {details.data && (
        <DescriptionList
          facts={[
            ["Email", <VisibleName key="email">{email}</VisibleName>],
            ["State", isDisabled ? "Disabled: the account cannot sign in" : "Enabled"],
            [
              "Organizations",
              <VisibleName key="organizations">
                {details.data.organizations
                  .map((each) => `${each.name} (${roleLabels[each.role].title.toLowerCase()})`)
                  .join(", ") || "None"}
              </VisibleName>,
            ],
            ["Sessions", details.data.sessions],
            ["API keys", details.data.apiKeys],
            ["Devices", details.data.devices],
          ]}
        />
      )}
      <p className="text-muted text-sm">
        Disabling ends the account's sessions, and revokes its API keys and devices. They stay revoked.
      </p>
      <DialogButtons>
        <Button look="danger" reason={reason} onClick={() => setDeleting(true)}>
          Delete
        </Button>
        <Button
          busy={details.isPending || setDisabled.isPending}
          reason={reason}
          onClick={() => setDisabled.mutate({ id, disabled: !isDisabled })}
        >
          {isDisabled ? "Enable" : "Disable"}
        </Button>
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

interface DeleteDialogProps {
  id: string;
  email: string;
  onClose: () => void;
}

function DeleteDialog({ id, email, onClose }: DeleteDialogProps) {
  const remove = useMutationWithRefetch(queries.admin.deleteUser.mutationOptions(), {
    refetch: [queries.admin.pathFilter()],
    onDone: onClose,
  });
  return (
    <Confirmation
      title="Delete this account?"
      action="Delete account"
      change={remove}
      failed="Could not delete the account."
      textToType={email}
      onSubmit={() => remove.mutate({ id })}
      onClose={onClose}
    >
      <p>
        Organizations of which it is the only member are deleted with all their data. This cannot be undone.
      </p>
    </Confirmation>
  );
}
