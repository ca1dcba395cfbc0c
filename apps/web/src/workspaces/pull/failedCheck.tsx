import { errorData } from "@grove/client";
import type { PullCheck, PullStatus } from "@grove/schemas";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { LogText } from "../../components/logText";
import { queries, queryClient } from "../../lib/api";
import { useShortcuts } from "../../shortcuts/useShortcuts";
import { Button } from "../../ui/button";
import { Problem } from "../../ui/problem";
import { safeHref } from "../../ui/safeHref";
import { checkQuote } from "./pullText";

interface FailedCheckProps {
  of: { organizationId: string; changeId: string };
  pull: PullStatus;
  check: PullCheck;
  /** Whether the key `l` shows this check's log. */
  hasKey: boolean;
  askLabel: string;
  onAsk: (text: string) => void;
}

/** The log of a check. A run that has failed writes no more. */
const logQuery = (of: FailedCheckProps["of"], checkId: string) =>
  queries.workspace.change.checkLog.queryOptions(
    { ...of, checkId },
    { staleTime: Number.POSITIVE_INFINITY, retry: false },
  );

/** Shows the end of a failed check's log, and takes it to an agent. */
export function FailedCheck({ of, pull, check, hasKey, askLabel, onAsk }: FailedCheckProps) {
  const { id: checkId, name } = check;
  const [isShown, setShown] = useState(false);
  const logId = useId();
  const toggle = () => setShown(!isShown);
  useShortcuts({
    title: "Pull request",
    scope: "page",
    shortcuts:
      hasKey && checkId !== null
        ? [{ keys: "l", title: "Show the log of the failed check", run: toggle }]
        : [],
  });
  const ask = useMutation({
    // Without a log, the agent can still read the check at its address.
    mutationFn: async () =>
      checkId === null ? undefined : queryClient.fetchQuery(logQuery(of, checkId)).catch(() => undefined),
  });
  // Not called if the user has left the page.
  const onSuccess = (log: { excerpt: string } | undefined) => onAsk(checkQuote(pull, check, log?.excerpt));
  return (
    <>
      {checkId !== null && (
        <Button
          look="quiet"
          aria-label={`${isShown ? "Hide log" : "Show log"} of ${name}`}
          aria-expanded={isShown}
          aria-controls={isShown ? logId : undefined}
          onClick={toggle}
        >
          {isShown ? "Hide log" : "Show log"}
        </Button>
      )}
      <Button
        look="quiet"
        busy={ask.isPending}
        aria-label={`${askLabel} about ${name}`}
        onClick={() => ask.mutate(undefined, { onSuccess })}
      >
        {askLabel}
      </Button>
      {checkId !== null && isShown && (
        <div id={logId} className="basis-full">
          <Log of={of} checkId={checkId} check={check} />
        </div>
      )}
    </>
  );
}

interface LogProps extends Pick<FailedCheckProps, "of" | "check"> {
  checkId: string;
}

function Log({ of, checkId, check: { name, url } }: LogProps) {
  const { data, error, refetch } = useQuery(logQuery(of, checkId));
  const href = url === null ? undefined : safeHref(url);
  if (error)
    return (
      <Problem
        title="Could not load the log."
        error={error}
        // These failures are final.
        {...(!isFinal(error) && { onRetry: () => void refetch() })}
      >
        {href !== undefined && (
          <a href={href} target="_blank" rel="noopener noreferrer" className="text-accent underline">
            Open the check in a new tab
          </a>
        )}
      </Problem>
    );
  if (data === undefined) return <p className="text-muted">Loading the log…</p>;
  return <LogText label={`Log of ${name}`} text={data.excerpt} />;
}

const isFinal = (error: Parameters<typeof errorData>[0]) =>
  ["log_gone", "log_elsewhere"].includes(errorData(error)?.reason ?? "");
