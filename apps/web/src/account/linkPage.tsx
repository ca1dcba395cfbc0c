import { getRouteApi } from "@tanstack/react-router";
import { StandalonePage } from "../components/standalonePage";
import { CopyLine } from "../ui/copy";
import { Problem } from "../ui/problem";

const route = getRouteApi("/link");

/** A one-time link that did not work. A link that works leads on immediately. */
export function LinkPage() {
  const refusal = route.useRouteContext({ select: (context) => context.refusal });
  return (
    <StandalonePage title="This link did not sign you in">
      {refusal instanceof Error ? (
        <Problem title="A link works once, within ten minutes." error={refusal} />
      ) : (
        <p>The address has no code. Open the whole link that Grove printed.</p>
      )}
      <p className="mt-5 mb-2">Ask for another one in a terminal of this machine:</p>
      <CopyLine text="grove link" label="Copy the command" />
    </StandalonePage>
  );
}
