import { buttonClass } from "../ui/button";

const reasons: Record<string, string> = {
  email_unverified: "Your primary address at GitHub is not verified. Verify it there first.",
  invitation_required: "Accounts here are made by invitation. Ask a member of the team for one.",
  sign_up_closed: "Sign-up is closed. Ask an administrator for an account.",
  account_disabled: "This account is disabled. Ask an administrator.",
};
const otherwise = "GitHub did not sign you in. Begin again.";

/** Sign-in through GitHub, which comes back to this page: signed in, or with the reason of a refusal. */
export function GitHubSignIn({ to = "/", error }: { to?: string | undefined; error?: string | undefined }) {
  const back = new URL("/sign-in", location.origin);
  back.searchParams.set("to", to);
  return (
    <div className="mt-4 flex flex-col gap-3">
      {/* Not a page of the console. */}
      <a
        href={`/api/auth/github?redirectTo=${encodeURIComponent(back.href)}`}
        className={buttonClass("plain")}
      >
        Continue with GitHub
      </a>
      {error !== undefined && (
        <p role="alert" className="text-danger">
          {reasons[error] ?? otherwise}
        </p>
      )}
    </div>
  );
}
