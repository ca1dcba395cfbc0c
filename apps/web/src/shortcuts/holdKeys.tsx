import { useLayoutEffect } from "react";

let holds = 0;

/** Whether a requested dialog or menu is still loading. */
export const keysAreHeld = (): boolean => holds > 0;

/** A Suspense fallback for a dialog or menu: letters meant for it run no shortcuts while it loads. */
export function HoldKeys() {
  useLayoutEffect(() => {
    holds++;
    return () => {
      holds--;
    };
  }, []);
  return null;
}
