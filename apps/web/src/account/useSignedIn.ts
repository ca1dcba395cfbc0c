import type { SignedIn } from "@grove/client/auth";
import { useNavigate } from "@tanstack/react-router";
import { authQuery, queryClient } from "../lib/api";

/** Leads to the page that the person wanted, once there is a session. */
export function useSignedIn(to: string | undefined) {
  const navigate = useNavigate();
  return async (_: SignedIn) => {
    queryClient.removeQueries(authQuery);
    await navigate({ href: to ?? "/", replace: true });
  };
}
