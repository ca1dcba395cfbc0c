import type { Device } from "@grove/schemas";

export interface DeviceDialogProps {
  device: Pick<Device, "id" | "organizationId" | "name" | "shared" | "sshHost" | "secretsAllowed">;
  onClose: () => void;
}
