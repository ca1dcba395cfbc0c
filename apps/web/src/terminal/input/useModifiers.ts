import { useCallback, useRef, useState } from "react";
import { type Modifiers, NO_MODIFIERS, withModifiers } from "./touchKeys";

/** The sticky Ctrl and Alt of the key row: each applies to the next key only. */
export function useModifiers() {
  const [modifiers, setState] = useState(NO_MODIFIERS);
  const current = useRef(modifiers);
  const set = useCallback((next: Modifiers) => {
    current.current = next;
    setState(next);
  }, []);
  return {
    modifiers,
    toggleModifier: (key: keyof Modifiers) => set({ ...current.current, [key]: !current.current[key] }),
    /** Returns a typed text with the modifiers, and releases them. */
    takeModifiers: useCallback(
      (text: string) => {
        const modified = withModifiers(text, current.current);
        if (current.current.ctrl || current.current.alt) set(NO_MODIFIERS);
        return modified;
      },
      [set],
    ),
  };
}
