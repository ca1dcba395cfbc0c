import { useEffect, useState } from "react";

/** How long typing must pause before a search begins. */
const SEARCH_DEBOUNCE_MS = 300;

/** Returns a value once it has not changed for `delayMs`. */
export function useDebounced<Value>(value: Value, delayMs: number = SEARCH_DEBOUNCE_MS): Value {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), delayMs);
    return () => clearTimeout(timer);
  }, [value, delayMs]);
  return debounced;
}
