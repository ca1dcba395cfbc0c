/** Resolves after the timers that are due now. */
export const afterTimers = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve);
  });

/** Resolves after `count` frames, or 50 ms for each one that is not drawn (in a hidden window). */
export const afterFrames = async (count: number): Promise<void> => {
  for (let left = count; left > 0; left--)
    await new Promise<void>((resolve) => {
      requestAnimationFrame(() => resolve());
      setTimeout(resolve, 50);
    });
};
