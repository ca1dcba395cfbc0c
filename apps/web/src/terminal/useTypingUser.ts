import { useCallback, useEffect, useRef, useState } from "react";

/** Longer than the interval of reports about a user who keeps typing. */
const SHOWN_MS = 4_000;

/**
 * The id of another user who types into the same session. Undefined a few seconds after the last key.
 * @param userId the current user
 */
export function useTypingUser(userId: string) {
  const [typingUserId, setTypingUserId] = useState<string>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const onTyping = useCallback(
    (id: string) => {
      if (id === userId) return;
      setTypingUserId(id);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => setTypingUserId(undefined), SHOWN_MS);
    },
    [userId],
  );
  return { typingUserId, onTyping };
}
