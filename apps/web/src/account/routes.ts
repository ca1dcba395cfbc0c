import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { organizationRoute, rootRoute, signedInRoute } from "../app/routes";
import { auth, authQuery, beginSession, queries, queryClient } from "../lib/api";
import { chooseOrganization } from "../lib/browser/lastOrganization";
import { takeHashSecret } from "../lib/browser/takeHashSecret";
import { consolePath } from "./consolePath";

/** Validates the page to open after sign-in. */
const validateTarget = ({ to }: Record<string, unknown>) =>
  typeof to === "string" ? { to: consolePath(to) } : {};

async function redirectSignedIn({ search }: { search: { to?: string } }) {
  const { session } = await queryClient.ensureQueryData(authQuery);
  if (session) throw redirect({ href: search.to ?? "/", replace: true });
}

const signIn = createRoute({
  getParentRoute: () => rootRoute,
  path: "/sign-in",
  validateSearch: validateTarget,
  beforeLoad: redirectSignedIn,
  component: lazyRouteComponent(() => import("./signInPage"), "SignInPage"),
});

const signUp = createRoute({
  getParentRoute: () => rootRoute,
  path: "/sign-up",
  validateSearch: validateTarget,
  beforeLoad: redirectSignedIn,
  component: lazyRouteComponent(() => import("./signUpPage"), "SignUpPage"),
});

/** The one-time link of local mode. Opening the page consumes the code. */
const link = createRoute({
  getParentRoute: () => rootRoute,
  path: "/link",
  beforeLoad: async () => {
    const code = takeHashSecret("code");
    if (code === undefined) return { refusal: undefined };
    try {
      const { token } = await auth.exchangeLink(code);
      beginSession(token);
    } catch (refusal) {
      return { refusal };
    }
    throw redirect({ to: "/", replace: true });
  },
  component: lazyRouteComponent(() => import("./linkPage"), "LinkPage"),
});

const forgotPassword = createRoute({
  getParentRoute: () => rootRoute,
  path: "/forgot-password",
  component: lazyRouteComponent(() => import("./forgotPasswordPage"), "ForgotPasswordPage"),
});

const resetPassword = createRoute({
  getParentRoute: () => rootRoute,
  path: "/reset-password",
  component: lazyRouteComponent(() => import("./resetPasswordPage"), "ResetPasswordPage"),
});

const verifyEmail = createRoute({
  getParentRoute: () => rootRoute,
  path: "/verify-email",
  loader: () => queryClient.ensureQueryData(authQuery),
  component: lazyRouteComponent(() => import("./verifyEmailPage"), "VerifyEmailPage"),
});

const acceptInvitation = createRoute({
  getParentRoute: () => rootRoute,
  path: "/accept-invitation",
  loader: () => queryClient.ensureQueryData(authQuery),
  component: lazyRouteComponent(() => import("./acceptInvitationPage"), "AcceptInvitationPage"),
});

/** Redirects to the account in the last visited organization. Users without organizations have the page alone. */
const standaloneAccount = createRoute({
  getParentRoute: () => signedInRoute,
  path: "account",
  beforeLoad: async ({ location: { hash } }) => {
    const organizations = await queryClient.ensureQueryData(queries.organization.list.queryOptions());
    const organization = chooseOrganization(organizations)?.slug;
    // The fragment is the outcome of connecting an account.
    if (organization !== undefined)
      throw redirect({ to: "/o/$organization/account", params: { organization }, hash, replace: true });
  },
  component: lazyRouteComponent(() => import("./accountPage"), "StandaloneAccountPage"),
});

const account = createRoute({
  getParentRoute: () => organizationRoute,
  path: "account",
  component: lazyRouteComponent(() => import("./accountPage"), "AccountPage"),
});

/** Pages that need no session. */
export const accountRoutes = {
  signIn,
  signUp,
  link,
  forgotPassword,
  resetPassword,
  verifyEmail,
  acceptInvitation,
};
/** The page of the current user, in an organization and outside. */
export const ownAccountRoutes = { account };
export const standaloneAccountRoutes = { standaloneAccount };
