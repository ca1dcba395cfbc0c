const reasons: Record<string, string> = {
  email_unverified: "Your primary email address on GitHub is not verified. Verify it there first.",
  invitation_required: "You need an invitation to create an account here. Ask a member of the team for one.",
  sign_up_closed: "Sign-up is closed. Ask an administrator for an account.",
  account_disabled: "This account is disabled. Ask an administrator.",
  token_invalid:
    "This sign-in was started in another browser, was already completed, or took too long. Try again.",
  session_required: "Your session has ended. Sign in, then try again.",
  /** Set by the console, not by the API. */
  session_expired: "Your session has ended. Sign in again.",
};
const fallback = "GitHub did not sign you in. Try again.";

/** Explains why the user must sign in (again), by the code that the API's redirect put into the address. */
export const SignInError = ({ error }: { error: string }) => (
  <p role="alert" className="mb-4 text-danger">
    {Object.entries(reasons).find(([reason]) => reason === error)?.[1] ?? fallback}
  </p>
);
