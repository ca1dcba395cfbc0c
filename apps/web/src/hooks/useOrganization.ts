import { getRouteApi } from "@tanstack/react-router";

const route = getRouteApi("/signed-in/o/$organization");

/** The organization that the page shows, with the role of the person who looks. */
export const useOrganization = () => route.useRouteContext({ select: ({ organization }) => organization });

/** The person who looks. */
export const useUser = () => route.useRouteContext({ select: ({ user }) => user });
