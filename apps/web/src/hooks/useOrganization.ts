import { getRouteApi } from "@tanstack/react-router";

const route = getRouteApi("/signed-in/o/$organization");

/** Returns the page's organization, with the current user's role in it. */
export const useOrganization = () => route.useRouteContext({ select: ({ organization }) => organization });

export const useUser = () => route.useRouteContext({ select: ({ user }) => user });
