import { useState } from "react";
import { useMutationWithRefetch } from "../hooks/useMutationWithRefetch";
import { useOrganization } from "../hooks/useOrganization";
import { queries } from "../lib/api";
import { useShortcuts } from "../shortcuts/useShortcuts";
import { Button } from "../ui/button";
import { Problem } from "../ui/problem";
import { VanishingButton } from "../ui/vanishingButton";

/** Stops the agent after a confirmation. */
export function StopSession({ id }: { id: string }) {
  const [step, setStep] = useState<"initial" | "confirming" | "canceled">("initial");
  const isConfirming = step === "confirming";
  const confirm = () => setStep("confirming");
  useShortcuts({
    title: "Agent",
    scope: "page",
    shortcuts: [],
    actions: isConfirming ? [] : [{ title: "Stop the agent", run: confirm }],
  });
  if (isConfirming) return <ConfirmStop id={id} onCancel={() => setStep("canceled")} />;
  return (
    <Button autoFocus={step === "canceled"} onClick={confirm}>
      Stop
    </Button>
  );
}

function ConfirmStop({ id, onCancel }: { id: string; onCancel: () => void }) {
  const { id: organizationId } = useOrganization();
  const stop = useMutationWithRefetch(queries.agent.stopSession.mutationOptions(), {
    refetch: [queries.agent.pathFilter()],
  });
  return (
    <>
      <VanishingButton
        look="danger"
        busy={stop.isPending}
        autoFocus
        onClick={() => stop.mutate({ organizationId, id })}
      >
        {stop.isPending ? "Stopping…" : "Stop agent"}
      </VanishingButton>
      <Button look="quiet" onClick={onCancel}>
        Keep running
      </Button>
      {stop.error && <Problem title="Could not stop the agent." error={stop.error} />}
    </>
  );
}
