import { LINK_MINUTES } from "@grove/schemas";
import { useSuspenseQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { StandalonePage } from "../components/standalonePage";
import { authQuery } from "../lib/api";
import { CopyLine } from "../ui/copyButton";
import { Problem } from "../ui/problem";

const route = getRouteApi("/link");

/** Shown if a one-time link did not work. A valid link redirects immediately. */
export function LinkPage() {
  const refusal = route.useRouteContext({ select: (context) => context.refusal });
  const { linkCommand } = useSuspenseQuery(authQuery).data;
  return (
    <StandalonePage title="Could not sign you in with this link">
      {refusal instanceof Error ? (
        <Problem title={`Each link works once and expires after ${LINK_MINUTES} minutes.`} error={refusal} />
      ) : (
        <p>The link is incomplete. Open the full link that Grove printed.</p>
      )}
      <p className="mt-5 mb-2">Get a new link in a terminal on this machine:</p>
      <CopyLine text={linkCommand ?? "grove link"} label="Copy the command" />
    </StandalonePage>
  );
}
