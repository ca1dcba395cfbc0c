import type { ErrorComponentProps } from "@tanstack/react-router";
import { useTitle } from "../ui/page";
import { Problem } from "../ui/problem";

/** A page that failed. The frame around it stays. */
export function ErrorPage({ error, reset }: ErrorComponentProps) {
  useTitle("Failed");
  return (
    <div className="mx-auto max-w-2xl px-6 py-16">
      <h1 className="sr-only">This page failed</h1>
      <Problem
        title="This page cannot be shown."
        error={error instanceof Error ? error : new Error(String(error))}
        onRetry={reset}
      />
    </div>
  );
}
