import { errorData } from "@grove/client";
import type { AgentSession } from "@grove/schemas";
import { useQuery } from "@tanstack/react-query";
import { queries } from "../../lib/api";
import { PRESENCE_POLL_MS } from "../../lib/queries/pollIntervals";
import { Button } from "../../ui/button";
import { errorMessage } from "../../ui/problem";
import type { FailedInput } from "../input/inputQueue";
import type { TerminalState } from "../useTerminal";
import { PromptText, TerminalPrompt } from "./terminalPrompt";

interface FailedInputPromptProps {
  organizationId: string;
  session: AgentSession;
  failedInput: FailedInput;
  resume: TerminalState["resume"];
  onEscape: () => void;
}

/** Asks what to do with a text that was refused, or that may not have arrived. */
export function FailedInputPrompt({ failedInput, resume, onEscape, ...session }: FailedInputPromptProps) {
  const { unconfirmed, unsent } = failedInput;
  if (!unconfirmed)
    return <RefusedInputPrompt failedInput={failedInput} resume={resume} onEscape={onEscape} {...session} />;
  return (
    <TerminalPrompt
      title="The machine has not confirmed this text:"
      text={unconfirmed}
      hint={`${errorMessage(failedInput.error)} It is not sent again. Check the screen before you continue.`}
      onEscape={onEscape}
    >
      {unsent && <PromptText title="Not sent yet:" text={unsent} />}
      <Button onClick={() => resume("send")}>{unsent ? "Send the rest" : "Continue"}</Button>
      {unsent && (
        <Button look="quiet" onClick={() => resume("discard")}>
          Discard the rest
        </Button>
      )}
    </TerminalPrompt>
  );
}

/** Keeps a refused text until the user decides, and shows when an offline machine is back. */
function RefusedInputPrompt({
  organizationId,
  session,
  failedInput,
  resume,
  onEscape,
}: FailedInputPromptProps) {
  const wasOffline = errorData(failedInput.error)?.reason === "device_offline";
  const device = useQuery({
    ...queries.device.get.queryOptions({ organizationId, id: session.deviceId }),
    enabled: wasOffline,
    // A cached answer may be older than the refusal.
    staleTime: 0,
    // The live stream reports the return, but misses an outage between two of its readings.
    refetchInterval: ({ state }) => (state.data?.status === "online" ? false : PRESENCE_POLL_MS),
  });
  const hasEnded = session.status !== "running";
  const isOnlineAgain = device.isFetchedAfterMount && device.data?.status === "online" && !hasEnded;
  return (
    <TerminalPrompt
      title="This text was not sent:"
      text={failedInput.unsent}
      hint={
        hasEnded
          ? "The agent has ended."
          : isOnlineAgain
            ? "The machine is back. Send the text, or discard it."
            : errorMessage(failedInput.error)
      }
      onEscape={onEscape}
    >
      {!hasEnded && (
        <Button look={isOnlineAgain ? "primary" : "plain"} onClick={() => resume("send")}>
          Send it
        </Button>
      )}
      <Button look="quiet" onClick={() => resume("discard")}>
        Discard it
      </Button>
    </TerminalPrompt>
  );
}
