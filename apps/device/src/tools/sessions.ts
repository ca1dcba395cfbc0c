import type { WorkspaceDetails } from "@grove/schemas";

/** What the other tools need of the agent sessions on this device. */
export interface WorkspaceSessions {
  /** The sessions of a workspace, newest first, at most 10, with the last lines of their output. */
  list(workspaceId: string): Promise<WorkspaceDetails["sessions"]>;
  /** The ids of those that run. A session begins under the lock of its workspace's directory, so that none does while that is removed. */
  running(workspaceId: string): readonly string[];
  /** Ends all that run, and resolves when their processes are gone. */
  stopAll(workspaceId: string): Promise<void>;
}

/** A device that starts none. */
export const noSessions: WorkspaceSessions = {
  list: async () => [],
  running: () => [],
  stopAll: async () => {},
};
