/** A worktree on a device that is online. */
export interface Worktree {
  target: { organizationId: string; deviceId: string };
  workspaceId: string;
}
