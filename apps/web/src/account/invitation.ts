import { queryOptions } from "@tanstack/react-query";
import { client } from "../lib/api";
import { takeHashSecret } from "../lib/takeHashSecret";

/*
 * The token of an invitation stays with its tab until the invitation is settled: sign-up, and sign-in through a
 * provider, lead away from the page in between. Its own address never has the token again.
 */
const KEY = "grove.invitation";

/** The page of an invitation, as the page after sign-in. */
export const invitationPath = "/accept-invitation";

/** The token of the link with which the page was opened, otherwise the one that this tab keeps. */
export function invitationToken(): string | undefined {
  const token = takeHashSecret("token");
  if (token !== undefined) sessionStorage.setItem(KEY, token);
  return token ?? sessionStorage.getItem(KEY) ?? undefined;
}

export const forgetInvitation = (): void => sessionStorage.removeItem(KEY);

/** The invitation with this token. A tab has only one, so that its key needs no token. */
export const invitationQuery = (token: string | undefined) =>
  queryOptions({
    queryKey: ["invitation"],
    queryFn: () => client.organization.getInvitation.query({ token: token ?? "" }),
    enabled: token !== undefined,
  });
