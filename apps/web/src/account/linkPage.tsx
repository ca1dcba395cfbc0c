import { getRouteApi } from "@tanstack/react-router";
import { StandalonePage } from "../components/standalonePage";
import { CopyLine } from "../ui/copy";
import { Problem } from "../ui/problem";

const route = getRouteApi("/link");

/** Shown if a one-time link did not work. A valid link redirects immediately. */
export function LinkPage() {
  const refusal = route.useRouteContext({ select: (context) => context.refusal });
  return (
    <StandalonePage title="This link did not sign you in">
      {refusal instanceof Error ? (
        <Problem title="A link works once, within ten minutes." error={refusal} />
      ) : (
        <p>The link is incomplete. Open the full link that Grove printed.</p>
      )}
      <p className="mt-5 mb-2">Get a new link in a terminal on this machine:</p>
      <CopyLine text="grove link" label="Copy the command" />
    </StandalonePage>
  );
}
