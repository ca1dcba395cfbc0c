import type { Device } from "@grove/schemas";
import { Ellipsis } from "lucide-react";
import { Suspense, useState } from "react";
import { lazily } from "../app/lazily";
import { useOrganization, useUser } from "../app/useOrganization";
import { Button, IconButton } from "../ui/button";
import { Menu, MenuItem, MenuLine } from "../ui/menu";
import { RenameDialog } from "./renameDialog";
import { ShareDialog } from "./shareDialog";

// Rarely used.
const RevokeDialog = lazily(async () => (await import("./revokeDialog")).RevokeDialog);
const RotateDialog = lazily(async () => (await import("./rotateDialog")).RotateDialog);
const SshDialog = lazily(async () => (await import("./sshDialog")).SshDialog);

type Open = "rename" | "share" | "ssh" | "rotate" | "revoke";

/** The changes that this person may make to a device. */
export function DeviceActions({ device }: { device: Device }) {
  const [open, setOpen] = useState<Open>();
  const { role } = useOrganization();
  const user = useUser();
  const isMine = device.ownerId === user.id;
  const mayRevoke = isMine || role === "admin" || role === "owner";
  const dialog = { device, onClose: () => setOpen(undefined) };
  const trigger = (
    <IconButton label="More actions">
      <Ellipsis aria-hidden="true" className="size-4" />
    </IconButton>
  );
  return (
    <>
      <Button onClick={() => setOpen("rename")} disabled={!isMine} title={isMine ? undefined : onlyOwner}>
        Rename
      </Button>
      <Menu trigger={trigger} align="end">
        <MenuItem onSelect={() => setOpen("share")} disabled={!isMine}>
          {device.shared ? "Stop sharing" : "Share"}
        </MenuItem>
        <MenuItem onSelect={() => setOpen("ssh")} disabled={!isMine}>
          SSH host
        </MenuItem>
        <MenuItem onSelect={() => setOpen("rotate")} disabled={!isMine}>
          New key
        </MenuItem>
        <MenuLine />
        <MenuItem onSelect={() => setOpen("revoke")} disabled={!mayRevoke} danger>
          Revoke
        </MenuItem>
      </Menu>
      {open === "rename" && <RenameDialog {...dialog} />}
      {open === "share" && <ShareDialog {...dialog} />}
      <Suspense>
        {open === "ssh" && <SshDialog {...dialog} />}
        {open === "rotate" && <RotateDialog {...dialog} />}
        {open === "revoke" && <RevokeDialog {...dialog} />}
      </Suspense>
    </>
  );
}

const onlyOwner = "Only the owner of the device may do this.";
