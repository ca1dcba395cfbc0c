import { errorData } from "@grove/client";
import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "./button";
import { CopyButton } from "./copyButton";

interface ProblemProps {
  /** The failure: "Could not load the devices." */
  title: string;
  error: { message: string };
  onRetry?: () => void;
  children?: ReactNode;
}

/** A failed call: what failed, the API's message about the cause and the next step, and the request id. */
export function Problem({ title, error, onRetry, children }: ProblemProps) {
  const data = errorData(error);
  return (
    <div role="alert" className="flex gap-3 rounded-lg border border-danger/40 bg-danger-soft px-4 py-3">
      <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-danger" />
      <div className="flex min-w-0 flex-col items-start gap-1">
        <p className="font-medium">{title}</p>
        <p className="wrap-anywhere whitespace-pre-line">{errorMessage(error)}</p>
        {children}
        <div className="mt-1 flex flex-wrap items-center gap-3">
          {onRetry && <Button onClick={onRetry}>Try again</Button>}
          {data?.requestId && (
            <span className="flex items-center gap-1 text-muted text-xs">
              Request <code className="font-mono">{data.requestId.slice(0, 8)}</code>
              <CopyButton text={data.requestId} label="Copy the request's id" />
            </span>
          )}
        </div>
      </div>
    </div>
  );
}

/** Whether a call got no answer from the API. `fetch` throws a TypeError, which the tRPC client wraps. */
const isNetworkError = (error: { message: string }) =>
  error instanceof TypeError || (error instanceof Error && error.name === "TRPCClientError");

const unreachable = "Could not reach Grove. Check your connection, and that Grove is running.";

/** Returns the API's error message, or a generic one if the API could not be reached. */
export const errorMessage = (error: { message: string }): string =>
  errorData(error) || !isNetworkError(error) ? error.message : unreachable;

/** Returns the API's error message for one field of a form. */
export const fieldError = (error: { message: string } | null, field: string): string | undefined =>
  errorData(error)?.fieldErrors?.[field]?.[0];
