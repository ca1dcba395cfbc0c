import { useEffect, useState } from "react";

/**
 * A word in the fragment of the page to which the API has led the browser: `#error=oauth_failed`. It is no secret, but
 * a second look at the page should not repeat it, so it is taken out of the address.
 */
export function useConsumeHashParam(name: string): string | undefined {
  const [outcome] = useState(() => new URLSearchParams(location.hash.slice(1)).get(name) ?? undefined);
  useEffect(() => {
    if (outcome !== undefined) history.replaceState(history.state, "", location.pathname + location.search);
  }, [outcome]);
  return outcome;
}
