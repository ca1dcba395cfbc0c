import { type RefObject, useCallback, useState } from "react";

/**
 * Whether the user types into the terminal.
 * @param host the element of the terminal
 */
export function useTyping(host: RefObject<HTMLElement | null>) {
  const [isTyping, setTyping] = useState(false);
  // Whether the terminal still has the keyboard after typing has ended by itself.
  const [holdsKeyboard, setHoldsKeyboard] = useState(false);
  const [leaveCount, setLeaveCount] = useState(0);
  return {
    isTyping,
    setTyping,
    holdsKeyboard,
    /** How often the user has left the terminal. */
    leaveCount,
    leave: useCallback(() => {
      setTyping(false);
      setHoldsKeyboard(false);
      setLeaveCount((count) => count + 1);
    }, []),
    /** Ends typing that is no longer possible. Swallows further keys until the user leaves the terminal. */
    keepKeyboard: useCallback(() => {
      setTyping(false);
      setHoldsKeyboard(host.current?.contains(document.activeElement) ?? false);
    }, [host]),
    releaseKeyboard: () => setHoldsKeyboard(false),
  };
}
