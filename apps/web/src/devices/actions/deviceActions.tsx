import type { Device } from "@grove/schemas";
import { Ellipsis } from "lucide-react";
import { Suspense, useState } from "react";
import { useOrganization, useUser } from "../../hooks/useOrganization";
import { lazily } from "../../lib/browser/lazily";
import { HoldKeys } from "../../shortcuts/holdKeys";
import { Button, IconButton } from "../../ui/button";
import { RenameDeviceDialog } from "./renameDeviceDialog";
import { ShareDialog } from "./shareDialog";

// Rarely used, so loaded lazily.
const RevokeDialog = lazily(async () => (await import("./revokeDialog")).RevokeDialog);
const RotateDialog = lazily(async () => (await import("./rotateDialog")).RotateDialog);
const SecretsDialog = lazily(async () => (await import("./secretsDialog")).SecretsDialog);
const SshDialog = lazily(async () => (await import("./sshDialog")).SshDialog);

const DeviceMenu = lazily(async () => (await import("./deviceMenu")).DeviceMenu);

export type DeviceDialog = "rename" | "share" | "ssh" | "rotate" | "secrets" | "revoke";

/** The buttons and dialogs that change a device. */
export function DeviceActions({ device }: { device: Device }) {
  const [open, setOpen] = useState<DeviceDialog>();
  const [anchor, setAnchor] = useState<HTMLElement>();
  const { role } = useOrganization();
  const user = useUser();
  const isMine = device.ownerId === user.id;
  const isAdmin = role === "admin" || role === "owner";
  const mayRevoke = isMine || isAdmin;
  const dialog = { device, onClose: () => setOpen(undefined) };
  return (
    <>
      <Button reason={isMine ? undefined : onlyOwner} onClick={() => setOpen("rename")}>
        Rename
      </Button>
      <IconButton
        label="More actions"
        aria-haspopup="menu"
        aria-expanded={anchor !== undefined}
        onClick={({ currentTarget }) => setAnchor(currentTarget)}
      >
        <Ellipsis aria-hidden="true" className="size-4" />
      </IconButton>
      {anchor && (
        <Suspense fallback={<HoldKeys />}>
          <DeviceMenu
            device={device}
            anchor={anchor}
            reason={isMine ? undefined : onlyOwner}
            secretsReason={isAdmin ? undefined : onlyAdmins}
            revokeReason={mayRevoke ? undefined : onlyOwnerAndAdmins}
            onOpen={setOpen}
            onClose={() => setAnchor(undefined)}
          />
        </Suspense>
      )}
      {open === "rename" && <RenameDeviceDialog {...dialog} />}
      {open === "share" && <ShareDialog {...dialog} />}
      <Suspense fallback={<HoldKeys />}>
        {open === "ssh" && <SshDialog {...dialog} />}
        {open === "rotate" && <RotateDialog {...dialog} />}
        {open === "secrets" && <SecretsDialog {...dialog} />}
        {open === "revoke" && <RevokeDialog {...dialog} />}
      </Suspense>
    </>
  );
}

const onlyOwner = "Only the owner of the device can do this.";
const onlyAdmins = "Only admins can do this.";
const onlyOwnerAndAdmins = "Only the device's owner and admins can do this.";
