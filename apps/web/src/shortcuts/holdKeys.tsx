import { useLayoutEffect } from "react";

let holds = 0;

/** Whether something that a person has asked for is still loading. */
export const keysAreHeld = (): boolean => holds > 0;

/** A fallback while a dialog or menu loads: letters that are meant for it run no shortcuts. */
export function HoldKeys() {
  useLayoutEffect(() => {
    holds++;
    return () => {
      holds--;
    };
  }, []);
  return null;
}
