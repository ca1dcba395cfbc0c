import type { ErrorComponentProps } from "@tanstack/react-router";
import { useTitle } from "../ui/page";
import { Problem } from "../ui/problem";
import { NotLoaded } from "./notLoaded";
import { isMissingFile } from "./updates";

/** A page that failed. The frame around it stays. */
export function ErrorPage({ error, reset }: ErrorComponentProps) {
  useTitle("Failed");
  const thrown = error instanceof Error ? error : new Error(String(error));
  return (
    <div className="mx-auto max-w-2xl px-6 py-16">
      <h1 className="sr-only">This page failed</h1>
      {isMissingFile(thrown) ? (
        <NotLoaded />
      ) : (
        <Problem title="This page cannot be shown." error={thrown} onRetry={reset} />
      )}
    </div>
  );
}
