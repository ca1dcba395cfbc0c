import { queryOptions } from "@tanstack/react-query";
import { client } from "../lib/api";
import { takeHashSecret } from "../lib/browser/takeHashSecret";

/*
 * The token of an invitation is kept in session storage until the invitation is accepted, because sign-up and sign-in
 * through a provider leave the page. The token was removed from the address.
 */
const KEY = "grove.invitation";

export const invitationPath = "/accept-invitation";

/** Returns the token of the opened link, or the one in session storage. */
export function invitationToken(): string | undefined {
  const token = takeHashSecret("token");
  if (token !== undefined) sessionStorage.setItem(KEY, token);
  return token ?? sessionStorage.getItem(KEY) ?? undefined;
}

export const forgetInvitation = (): void => sessionStorage.removeItem(KEY);

/** Query options for the invitation. A tab has only one, so the query key needs no token. */
export const invitationQuery = (token: string | undefined) =>
  queryOptions({
    queryKey: ["invitation"],
    queryFn: () => client.organization.getInvitation.query({ token: token ?? "" }),
    enabled: token !== undefined,
  });
