import { buttonClass } from "../ui/button";

/** Signs in through GitHub. The API redirects to `to`, or back to the sign-in page with an error code. */
export const GitHubSignIn = ({ to = "/" }: { to?: string | undefined }) => (
  <div className="mt-4 flex flex-col">
    {/* A plain link, because the address is the API's. */}
    <a
      href={`/api/auth/github?redirectTo=${encodeURIComponent(new URL(to, location.origin).href)}`}
      className={buttonClass("plain")}
    >
      Continue with GitHub
    </a>
  </div>
);
