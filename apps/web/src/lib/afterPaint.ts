/** Resolves when the page has been painted once more; immediately in a hidden tab, which is not painted. */
export const afterPaint = (): Promise<void> =>
  new Promise((resolve) => {
    if (document.hidden) resolve();
    // The task after the next frame runs when that frame has been painted.
    else requestAnimationFrame(() => setTimeout(resolve));
  });
