const watched = new WeakSet<Window>();
let moved = false;

/** Whether the pointer has moved over a document since the last call. */
export const hasPointerMoved = (view: Window): boolean => {
  if (!watched.has(view)) {
    watched.add(view);
    const see = () => {
      moved = true;
    };
    view.addEventListener("mousemove", see, { capture: true, passive: true });
  }
  const hasMoved = moved;
  moved = false;
  return hasMoved;
};
