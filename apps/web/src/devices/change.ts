import type { Device } from "@grove/schemas";
import { queries, queryClient } from "../lib/api";

/** After a change of a device, everything about devices is read again. */
export const readDevicesAgain = () => queryClient.invalidateQueries(queries.device.pathFilter());

export interface DeviceDialogProps {
  device: Pick<Device, "id" | "organizationId" | "name" | "shared" | "sshHost" | "secretsAllowed">;
  onClose: () => void;
}
