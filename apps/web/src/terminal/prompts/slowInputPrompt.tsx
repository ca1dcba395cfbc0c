import type { AgentSession } from "@grove/schemas";
import { visibleText } from "@grove/schemas";
import { useQuery } from "@tanstack/react-query";
import { queries } from "../../lib/api";
import { PRESENCE_POLL_MS } from "../../lib/queries/pollIntervals";
import { Button } from "../../ui/button";
import { pluralize } from "../../ui/pluralize";
import { VisibleName } from "../../ui/visibleName";
import { TerminalPrompt } from "./terminalPrompt";

const timeOfDay = new Intl.DateTimeFormat("en", { timeStyle: "short", hour12: false });

const MAX_CHARACTERS = 40;

interface SlowInputPromptProps {
  organizationId: string;
  session: AgentSession;
  /** The text that the machine has not confirmed yet. */
  text: string;
  onDiscard: () => void;
  onEscape: () => void;
}

/** Shows text that a slow or offline machine has not confirmed. */
export function SlowInputPrompt({
  organizationId,
  session,
  text,
  onDiscard,
  onEscape,
}: SlowInputPromptProps) {
  const { data: device } = useQuery({
    ...queries.device.get.queryOptions({ organizationId, id: session.deviceId }),
    refetchInterval: PRESENCE_POLL_MS,
  });
  const characters = [...text];
  const excerpt = characters.slice(0, MAX_CHARACTERS).join("").replaceAll("\r", "⏎");
  const count = `${pluralize(characters.length, "character")} not sent yet`;
  return (
    <TerminalPrompt
      title={
        <>
          {device?.status === "offline" ? (
            <>
              <VisibleName>{device.name}</VisibleName> is offline
              {device.lastSeenAt && (
                <>
                  {" since "}
                  <time dateTime={device.lastSeenAt}>{timeOfDay.format(Date.parse(device.lastSeenAt))}</time>
                </>
              )}
              .
            </>
          ) : (
            "The machine has not confirmed the text yet."
          )}{" "}
          {count}: «<VisibleName className="font-mono">{visibleText(excerpt)}</VisibleName>
          {characters.length > MAX_CHARACTERS && "…"}»
        </>
      }
      hint="Text that was already sent may still arrive. Discard drops only the text that was not sent yet."
      onEscape={onEscape}
    >
      <Button onClick={onDiscard}>Discard</Button>
    </TerminalPrompt>
  );
}
