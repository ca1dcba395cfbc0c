import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { authQuery, queryClient } from "../app/api";
import { rootRoute } from "../app/routes";
import { pathInside } from "./pathInside";

/** The page to show after sign-in. */
const target = ({ to }: Record<string, unknown>) => (typeof to === "string" ? { to: pathInside(to) } : {});

/** Nobody signs in twice. */
async function onlySignedOut({ search }: { search: { to?: string } }) {
  const { session } = await queryClient.ensureQueryData(authQuery);
  if (session) throw redirect({ href: search.to ?? "/", replace: true });
}

const signIn = createRoute({
  getParentRoute: () => rootRoute,
  path: "/sign-in",
  validateSearch: target,
  beforeLoad: onlySignedOut,
  component: lazyRouteComponent(() => import("./signInPage"), "SignInPage"),
});

const signUp = createRoute({
  getParentRoute: () => rootRoute,
  path: "/sign-up",
  validateSearch: target,
  beforeLoad: onlySignedOut,
  component: lazyRouteComponent(() => import("./signUpPage"), "SignUpPage"),
});

export const accountRoutes = { signIn, signUp };
