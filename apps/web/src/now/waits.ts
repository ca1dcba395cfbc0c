import type { AgentSession, Device } from "@grove/schemas";

/** A machine that went away while agents of this person, or on this person's machine, were at work on it. */
export interface Gone {
  device: Device;
  agents: number;
}

/** The machines that are offline with running agents that concern this person. */
export const goneOf = (devices: readonly Device[], running: readonly AgentSession[], me: string): Gone[] =>
  devices
    .filter(({ status }) => status === "offline")
    .map((device) => ({
      device,
      agents: running.filter(
        ({ deviceId, startedBy }) => deviceId === device.id && (startedBy === me || device.ownerId === me),
      ).length,
    }))
    .filter(({ agents }) => agents > 0);
