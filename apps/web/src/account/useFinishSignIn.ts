import type { SignedIn } from "@grove/client/auth";
import { useNavigate } from "@tanstack/react-router";
import { authQuery, queryClient } from "../lib/api";

/** Returns a function that opens the requested page after sign-in. */
export function useFinishSignIn(to: string | undefined) {
  const navigate = useNavigate();
  return async (_: SignedIn) => {
    queryClient.removeQueries(authQuery);
    await navigate({ href: to ?? "/", replace: true });
  };
}
