import type { Device } from "@grove/schemas";
import { queries, queryClient } from "../lib/api";

export const refetchDevices = () => queryClient.invalidateQueries(queries.device.pathFilter());

export interface DeviceDialogProps {
  device: Pick<Device, "id" | "organizationId" | "name" | "shared" | "sshHost" | "secretsAllowed">;
  onClose: () => void;
}
