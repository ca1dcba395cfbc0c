const reasons: Record<string, string> = {
  email_unverified: "Your primary address at GitHub is not verified. Verify it there first.",
  invitation_required: "Accounts here are made by invitation. Ask a member of the team for one.",
  sign_up_closed: "Sign-up is closed. Ask an administrator for an account.",
  account_disabled: "This account is disabled. Ask an administrator.",
  token_invalid:
    "This sign-in was begun in another browser, is already finished, or took too long. Begin again.",
  session_required: "Your session has ended. Sign in, then begin again.",
};
const otherwise = "GitHub did not sign you in. Begin again.";

/** The reason with which a browser was sent back to sign-in. */
export const Refusal = ({ error }: { error: string }) => (
  <p role="alert" className="mb-4 text-danger">
    {Object.entries(reasons).find(([reason]) => reason === error)?.[1] ?? otherwise}
  </p>
);
