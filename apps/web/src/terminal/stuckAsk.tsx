import { errorData } from "@grove/client";
import type { AgentSession } from "@grove/schemas";
import { useQuery } from "@tanstack/react-query";
import { queries } from "../lib/api";
import { Button } from "../ui/button";
import { errorMessage } from "../ui/problem";
import { Ask, AskedText } from "./ask";
import type { Stuck } from "./input";
import type { TerminalState } from "./useTerminal";

const ASK_MS = 5_000;

interface StuckAskProps {
  organizationId: string;
  session: AgentSession;
  stuck: Stuck;
  resume: TerminalState["resume"];
  onEscape: () => void;
}

/** Asks about a text that was refused, or that may not have arrived. */
export function StuckAsk({ stuck, resume, onEscape, ...of }: StuckAskProps) {
  const { unsure, rest } = stuck;
  if (!unsure) return <RefusedAsk {...{ stuck, resume, onEscape }} {...of} />;
  return (
    <Ask
      title="The machine has not confirmed this text:"
      text={unsure}
      hint={`${errorMessage(stuck.error)} It is not sent again. Look at the screen before you go on.`}
      onEscape={onEscape}
    >
      {rest && <AskedText title="Not sent yet:" text={rest} />}
      <Button onClick={() => resume("rest")}>{rest ? "Send the rest" : "Go on"}</Button>
      {rest && (
        <Button look="quiet" onClick={() => resume("nothing")}>
          Discard the rest
        </Button>
      )}
    </Ask>
  );
}

/** Keeps a refused text until a person decides. Says so when the machine that was away is back. */
function RefusedAsk({ organizationId, session, stuck, resume, onEscape }: StuckAskProps) {
  const wasAway = errorData(stuck.error)?.reason === "device_offline";
  const device = useQuery({
    ...queries.device.get.queryOptions({ organizationId, id: session.deviceId }),
    enabled: wasAway,
    // An answer from before the refusal says nothing.
    staleTime: 0,
    // The live stream tells of its return, unless it was away for a moment only, between two readings.
    refetchInterval: ({ state }) => (state.data?.status === "online" ? false : ASK_MS),
  });
  const hasEnded = session.status !== "running";
  const isBack = device.isFetchedAfterMount && device.data?.status === "online" && !hasEnded;
  return (
    <Ask
      title="This text was not sent:"
      text={stuck.rest}
      hint={
        hasEnded
          ? "The agent has ended meanwhile."
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
    </Ask>
  );
}
