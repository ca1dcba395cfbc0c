/** The watched windows, with the number of presses that each lost. */
const lostPresses = new WeakMap<Window, number>();

/**
 * Counts the presses of a window whose element was replaced before the release. The browser then dispatches no `click`.
 * A press whose own handlers replaced the element is not counted: pressing again would repeat what they did.
 * @returns the number since the first call
 */
export const countLostPresses = (view: Window): number => {
  if (!lostPresses.has(view)) watch(view);
  return lostPresses.get(view) ?? 0;
};

function watch(view: Window): void {
  lostPresses.set(view, 0);
  let pressed: Node | undefined;
  let hasOutlivedHandlers = false;
  const onPress = (event: Event) => {
    const [target] = event.composedPath();
    pressed = target instanceof Node ? target : undefined;
    hasOutlivedHandlers = false;
    // A separate task runs after all handlers of the event.
    setTimeout(() => {
      hasOutlivedHandlers = pressed === target && pressed?.isConnected === true;
    });
  };
  const onRelease = () => {
    if (pressed && hasOutlivedHandlers && !pressed.isConnected)
      lostPresses.set(view, countLostPresses(view) + 1);
    pressed = undefined;
  };
  view.addEventListener("mousedown", onPress, { capture: true, passive: true });
  // Before handlers of the release can replace the element.
  view.addEventListener("pointerup", onRelease, { capture: true, passive: true });
}
