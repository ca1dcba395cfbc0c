/** Resolves after the next paint; immediately in a hidden tab, which is not painted. */
export const afterPaint = (): Promise<void> =>
  new Promise((resolve) => {
    if (document.hidden) resolve();
    // A task queued in an animation frame runs after that frame was painted.
    else requestAnimationFrame(() => setTimeout(resolve));
  });
