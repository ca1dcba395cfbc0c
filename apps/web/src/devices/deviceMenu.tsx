import type { Device } from "@grove/schemas";
import { AnchoredMenu } from "../ui/anchoredMenu";
import { MenuItem, MenuLine } from "../ui/menu";
import type { Open } from "./deviceActions";

interface DeviceMenuProps {
  device: Device;
  /** Why this person may not change the device. */
  reason: string | undefined;
  /** Why this person may not decide about project secrets. */
  reasonForSecrets: string | undefined;
  /** Why this person may not revoke it. */
  reasonToStay: string | undefined;
  anchor: HTMLElement;
  onOpen: (dialog: Open) => void;
  onClose: () => void;
}

/** The rarer changes of a device. Menus are large, so this one is loaded when it is opened. */
export const DeviceMenu = ({
  device,
  reason,
  reasonForSecrets,
  reasonToStay,
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
      New key
    </MenuItem>
    <MenuItem onSelect={() => onOpen("secrets")} reason={reasonForSecrets}>
      {device.secretsAllowed ? "Limit project secrets" : "Allow all project secrets"}
    </MenuItem>
    <MenuLine />
    <MenuItem onSelect={() => onOpen("revoke")} reason={reasonToStay} danger>
      Revoke
    </MenuItem>
  </AnchoredMenu>
);
