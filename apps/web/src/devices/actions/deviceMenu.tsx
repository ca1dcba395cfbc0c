import type { Device } from "@grove/schemas";
import { AnchoredMenu } from "../../ui/anchoredMenu";
import { MenuItem, MenuSeparator } from "../../ui/menu";
import type { DeviceDialog } from "./deviceActions";

interface DeviceMenuProps {
  device: Device;
  /** Why the user may not change the device. */
  reason: string | undefined;
  /** Why the user may not change the access to project secrets. */
  secretsReason: string | undefined;
  revokeReason: string | undefined;
  anchor: HTMLElement;
  onOpen: (dialog: DeviceDialog) => void;
  onClose: () => void;
}

/** The menu of less frequent actions. Menus are large, so it is loaded when it is opened. */
export const DeviceMenu = ({
  device,
  reason,
  secretsReason,
  revokeReason,
  anchor,
  onOpen,
  onClose,
}: DeviceMenuProps) => (
  <AnchoredMenu anchor={anchor} onClose={onClose}>
    <MenuItem onSelect={() => onOpen("share")} reason={reason}>
      {device.shared ? "Stop sharing" : "Share"}
    </MenuItem>
    <MenuItem onSelect={() => onOpen("ssh")} reason={reason}>
      SSH host
    </MenuItem>
    <MenuItem onSelect={() => onOpen("rotate")} reason={reason}>
      Rotate key
    </MenuItem>
    <MenuItem onSelect={() => onOpen("secrets")} reason={secretsReason}>
      {device.secretsAllowed ? "Limit project secrets" : "Allow all project secrets"}
    </MenuItem>
    <MenuSeparator />
    <MenuItem onSelect={() => onOpen("revoke")} reason={revokeReason} danger>
      Revoke
    </MenuItem>
  </AnchoredMenu>
);
