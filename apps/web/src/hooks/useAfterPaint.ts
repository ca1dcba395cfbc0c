import { startTransition, useEffect, useState } from "react";

/**
 * Returns false until the page has been painted once, then true. It defers a component that is slow to render: React
 * renders a page within the click that opens it, so the click would wait for that component.
 */
export function useAfterPaint(): boolean {
  const [isPainted, setPainted] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    // A task queued in an animation frame runs after that frame was painted.
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
