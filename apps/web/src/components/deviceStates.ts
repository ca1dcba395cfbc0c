import type { OfflineReason } from "@grove/schemas";
import { installCommand } from "../lib/installCommand";

/* The words for the states of devices. A device is called a machine where its computer is meant. */

/** Labels, and sentences for what waits for a device. */
export const deviceTexts = {
  online: "Online",
  offline: "Its machine is offline.",
  mustBeOnline: "Its machine must be online.",
  queued: "Waiting for the machine to come online.",
} as const;

export interface OfflineState {
  label: string;
  /** Whether to append the time when the device was last seen. */
  showsLastSeen: boolean;
  /** A next step, with a command for that machine. */
  advice?: { text: string; command: string };
}

const doctor = "grove-device doctor";

/** How the state of an offline device is shown, by its reason. */
export const offlineStates = {
  never_connected: {
    label: "Never connected",
    showsLastSeen: false,
    advice: { text: "Start grove-device on that machine.", command: "grove-device start" },
  },
  disconnected: {
    label: "Disconnected",
    showsLastSeen: true,
    advice: {
      text: "The agent was stopped, or cannot reach this server. Run this command to find out why.",
      command: doctor,
    },
  },
  unresponsive: {
    label: "Asleep or without network",
    showsLastSeen: true,
    advice: {
      text: "The machine stopped responding. If it is awake, run this command to find out why.",
      command: doctor,
    },
  },
  revoked: { label: "Revoked", showsLastSeen: false },
  outdated_agent: {
    label: "Agent outdated",
    showsLastSeen: true,
    advice: {
      text: "This server no longer supports this version of the agent. This command updates and restarts the agent.",
      get command() {
        return installCommand();
      },
    },
  },
} satisfies Record<OfflineReason, OfflineState>;
