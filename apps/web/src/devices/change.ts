import { queries, queryClient } from "../app/api";

/** After a change of a device, everything about devices is read again. */
export const readDevicesAgain = () => queryClient.invalidateQueries(queries.device.pathFilter());

export interface DeviceDialogProps {
  device: { id: string; organizationId: string; name: string; shared: boolean; sshHost: string | null };
  onClose: () => void;
}
