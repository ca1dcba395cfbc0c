import { startTransition, useEffect, useState } from "react";

/**
 * False until the page has been painted once, then true: for a part that takes long to draw. React draws a room within
 * the click that leads to it, so that the click would wait for that part, too.
 */
export function useAfterPaint(): boolean {
  const [isPainted, setPainted] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    // The task after the next frame runs when that frame has been painted.
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => startTransition(() => setPainted(true)));
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, []);
  return isPainted;
}
