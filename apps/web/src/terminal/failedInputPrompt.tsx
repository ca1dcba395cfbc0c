import { errorData } from "@grove/client";
import type { AgentSession } from "@grove/schemas";
import { useQuery } from "@tanstack/react-query";
import { queries } from "../lib/api";
import { Button } from "../ui/button";
import { errorMessage } from "../ui/problem";
import type { Stuck } from "./inputQueue";
import { PromptText, TerminalPrompt } from "./terminalPrompt";
import type { TerminalState } from "./useTerminal";

const DEVICE_POLL_MS = 5_000;

interface FailedInputPromptProps {
  organizationId: string;
  session: AgentSession;
  stuck: Stuck;
  resume: TerminalState["resume"];
  onEscape: () => void;
}

/** Asks what to do with a text that was refused, or that may not have arrived. */
export function FailedInputPrompt({ stuck, resume, onEscape, ...of }: FailedInputPromptProps) {
  const { unsure, rest } = stuck;
  if (!unsure) return <RefusedInputPrompt {...{ stuck, resume, onEscape }} {...of} />;
  return (
    <TerminalPrompt
      title="The machine has not confirmed this text:"
      text={unsure}
      hint={`${errorMessage(stuck.error)} It is not sent again. Check the screen before you continue.`}
      onEscape={onEscape}
    >
      {rest && <PromptText title="Not sent yet:" text={rest} />}
      <Button onClick={() => resume("rest")}>{rest ? "Send the rest" : "Continue"}</Button>
      {rest && (
        <Button look="quiet" onClick={() => resume("nothing")}>
          Discard the rest
        </Button>
      )}
    </TerminalPrompt>
  );
}

/** Keeps a refused text until the user decides, and shows when an offline machine is back. */
function RefusedInputPrompt({ organizationId, session, stuck, resume, onEscape }: FailedInputPromptProps) {
  const wasAway = errorData(stuck.error)?.reason === "device_offline";
  const device = useQuery({
    ...queries.device.get.queryOptions({ organizationId, id: session.deviceId }),
    enabled: wasAway,
    // A cached answer may be older than the refusal.
    staleTime: 0,
    // The live stream reports the return, but misses an outage between two of its readings.
    refetchInterval: ({ state }) => (state.data?.status === "online" ? false : DEVICE_POLL_MS),
  });
  const hasEnded = session.status !== "running";
  const isBack = device.isFetchedAfterMount && device.data?.status === "online" && !hasEnded;
  return (
    <TerminalPrompt
      title="This text was not sent:"
      text={stuck.rest}
      hint={
        hasEnded
          ? "The agent has ended."
          : isBack
            ? "The machine is back. Send the text, or discard it."
            : errorMessage(stuck.error)
      }
      onEscape={onEscape}
    >
      {!hasEnded && (
        <Button look={isBack ? "primary" : "plain"} onClick={() => resume("rest")}>
          Send it
        </Button>
      )}
      <Button look="quiet" onClick={() => resume("nothing")}>
        Discard it
      </Button>
    </TerminalPrompt>
  );
}
