import { useLayoutEffect } from "react";

const holds = { field: 0, findBar: 0, terminal: 0 };

type Held = keyof typeof holds;

/** Whether a requested dialog, menu or text field is still loading, a terminal's find bar, or a terminal. */
export const keysAreHeld = (kind: Held): boolean => holds[kind] > 0;

/**
 * A Suspense fallback for a dialog or menu: letters meant for it run no shortcuts while it loads, and its text field
 * gets them. A terminal that is loading gets none of them, and the key that requested it may be repeated. A terminal
 * with the focus gets its letters, except while its find bar loads: other parts of the page may be loading, too.
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
