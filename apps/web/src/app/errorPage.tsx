import { errorData } from "@grove/client";
import { toError } from "@grove/schemas";
import { type ErrorComponentProps, Link, useRouter } from "@tanstack/react-router";
import { LoadFailure } from "../components/loadFailure";
import { isMissingFile } from "../lib/browser/reloadIfOutdated";
import { useTitle } from "../ui/page";
import { Problem } from "../ui/problem";

/** Shown in place of a page that failed to load or render. The frame around it stays. */
export function ErrorPage({ error }: ErrorComponentProps) {
  useTitle("Error");
  const router = useRouter();
  const failure = toError(error);
  const isNotFound = errorData(failure)?.code === "NOT_FOUND";
  return (
    <div className="mx-auto max-w-2xl px-6 py-16">
      <h1 className="sr-only">Something went wrong</h1>
      {isMissingFile(failure) ? (
        <LoadFailure />
      ) : isNotFound ? (
        <Problem title="This page does not exist or was deleted." error={failure}>
          <Link to="/" className="text-accent underline">
            Go to your organization
          </Link>
        </Problem>
      ) : (
        // Also reloads the data of the page.
        <Problem title="Could not load this page." error={failure} onRetry={() => void router.invalidate()} />
      )}
    </div>
  );
}
