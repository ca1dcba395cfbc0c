const keyOf = (workspaceId: string) => `grove.commitMessage.${workspaceId}`;

/** The message that a user began in this tab, kept until the commit is made. Survives a reload. */
export const commitDraft = {
  read: (workspaceId: string): string | undefined => sessionStorage.getItem(keyOf(workspaceId)) ?? undefined,
  keep(workspaceId: string, message: string): void {
    try {
      sessionStorage.setItem(keyOf(workspaceId), message);
    } catch {
      // The storage is full or disabled. The dialog still has the text.
    }
  },
  remove: (workspaceId: string) => sessionStorage.removeItem(keyOf(workspaceId)),
};
