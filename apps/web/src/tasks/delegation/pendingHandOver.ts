/** The task whose page opens with the form that hands it over. */
let pending: string | undefined;

export const setPendingHandOver = (taskId: string): void => {
  pending = taskId;
};

export const isHandOverPending = (taskId: string): boolean => pending === taskId;

export const clearPendingHandOver = (): void => {
  pending = undefined;
};
