import { useLayoutEffect } from "react";

const holds = { field: 0, terminal: 0 };

type Held = keyof typeof holds;

/** Whether a requested dialog, menu or text field is still loading, or a terminal. */
export const keysAreHeld = (kind: Held): boolean => holds[kind] > 0;

/**
 * A Suspense fallback for a dialog or menu: letters meant for it run no shortcuts while it loads, and its text field
 * gets them. A terminal gets none of them, and the key that requested it may be repeated.
 */
export function HoldKeys({ kind = "field" }: { kind?: Held }) {
  useLayoutEffect(() => {
    holds[kind]++;
    return () => {
      holds[kind]--;
    };
  }, [kind]);
  return null;
}
