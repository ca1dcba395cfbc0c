import type { Device } from "@grove/schemas";
import { AgentsSection } from "./agentsSection";
import { MachineSection } from "./machineSection";

/** The sections that read from a device, which must be online. */
export const OnlineSections = ({ device, isMine }: { device: Device; isMine: boolean }) => (
  <>
    <MachineSection device={device} />
    <AgentsSection device={device} isMine={isMine} />
  </>
);
