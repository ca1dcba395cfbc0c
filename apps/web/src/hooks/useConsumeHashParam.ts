import { useEffect, useState } from "react";

/**
 * Reads a parameter that the API's redirect put into the URL fragment, such as `#error=oauth_failed`, and removes it so
 * that a reload does not show it again.
 */
export function useConsumeHashParam(name: string): string | undefined {
  const [value] = useState(() => new URLSearchParams(location.hash.slice(1)).get(name) ?? undefined);
  useEffect(() => {
    if (value !== undefined) history.replaceState(history.state, "", location.pathname + location.search);
  }, [value]);
  return value;
}
