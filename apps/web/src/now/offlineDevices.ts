import type { AgentSession, Device } from "@grove/schemas";

/** An offline machine, and how many of the user's agents, or agents on the user's machine, run on it. */
export interface OfflineDevice {
  device: Device;
  agents: number;
}

/** Returns the offline machines with running agents that concern the user. */
export const offlineWithAgents = (
  devices: readonly Device[],
  running: readonly AgentSession[],
  me: string,
): OfflineDevice[] =>
  devices
    .filter(({ status }) => status === "offline")
    .map((device) => ({
      device,
      agents: running.filter(
        ({ deviceId, startedBy }) => deviceId === device.id && (startedBy === me || device.ownerId === me),
      ).length,
    }))
    .filter(({ agents }) => agents > 0);
