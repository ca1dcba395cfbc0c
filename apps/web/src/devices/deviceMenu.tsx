import type { Device } from "@grove/schemas";
import { MenuItem, MenuLine } from "../ui/menu";
import { MenuAt } from "../ui/menuAt";
import type { Open } from "./deviceActions";

interface DeviceMenuProps {
  device: Device;
  isMine: boolean;
  mayRevoke: boolean;
  anchor: HTMLElement;
  onOpen: (dialog: Open) => void;
  onClose: () => void;
}

/** The rarer changes of a device. Menus are large, so this one is loaded when it is opened. */
export const DeviceMenu = ({ device, isMine, mayRevoke, anchor, onOpen, onClose }: DeviceMenuProps) => (
  <MenuAt anchor={anchor} onClose={onClose}>
    <MenuItem onSelect={() => onOpen("share")} disabled={!isMine}>
      {device.shared ? "Stop sharing" : "Share"}
    </MenuItem>
    <MenuItem onSelect={() => onOpen("ssh")} disabled={!isMine}>
      SSH host
    </MenuItem>
    <MenuItem onSelect={() => onOpen("rotate")} disabled={!isMine}>
      New key
    </MenuItem>
    <MenuLine />
    <MenuItem onSelect={() => onOpen("revoke")} disabled={!mayRevoke} danger>
      Revoke
    </MenuItem>
  </MenuAt>
);
