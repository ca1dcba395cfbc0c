import { buttonClass } from "../ui/button";

/** Sign-in through GitHub, which leads to the wanted page, or back to this one with the reason of a refusal. */
export const GitHubSignIn = ({ to = "/" }: { to?: string | undefined }) => (
  <div className="mt-4 flex flex-col">
    {/* Not a page of the console. */}
    <a
      href={`/api/auth/github?redirectTo=${encodeURIComponent(new URL(to, location.origin).href)}`}
      className={buttonClass("plain")}
    >
      Continue with GitHub
    </a>
  </div>
);
