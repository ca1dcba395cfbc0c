import { Link } from "@tanstack/react-router";
import { useOptionalOrganization } from "../hooks/useOptionalOrganization";
import { LazyStandaloneShortcuts } from "../shortcuts/lazyStandaloneShortcuts";
import { buttonClass } from "../ui/button";
import { useTitle } from "../ui/page";

/** Shown for a page that does not exist, or that the user has no access to. */
export function NotFoundPage() {
  useTitle("Not found");
  const isFramed = useOptionalOrganization() !== undefined;
  return (
    <div className="mx-auto flex max-w-md flex-col items-start gap-2 px-6 py-24">
      <h1 className="font-semibold text-xl">Page not found</h1>
      <p className="text-muted">
        The URL is wrong, the page was deleted, or it belongs to an organization that you are not a member of.
      </p>
      <Link to="/" className={`mt-3 ${buttonClass()}`}>
        Go to your organization
      </Link>
      {!isFramed && <LazyStandaloneShortcuts />}
    </div>
  );
}
