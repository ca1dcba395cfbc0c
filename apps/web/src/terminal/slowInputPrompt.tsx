import type { AgentSession } from "@grove/schemas";
import { visibleText } from "@grove/schemas";
import { useQuery } from "@tanstack/react-query";
import { queries } from "../lib/api";
import { Button } from "../ui/button";
import { VisibleName } from "../ui/visibleName";
import { TerminalPrompt } from "./terminalPrompt";

const clock = new Intl.DateTimeFormat("en", { timeStyle: "short", hour12: false });

/** How many characters of the text are shown. */
const SHOWN = 40;
const DEVICE_POLL_MS = 5_000;

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
    refetchInterval: DEVICE_POLL_MS,
  });
  const characters = [...text];
  const begin = characters.slice(0, SHOWN).join("").replaceAll("\r", "⏎");
  const count = `${characters.length} ${characters.length === 1 ? "character waits" : "characters wait"}`;
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
                  <time dateTime={device.lastSeenAt}>{clock.format(Date.parse(device.lastSeenAt))}</time>
                </>
              )}
              .
            </>
          ) : (
            "The text is not confirmed yet."
          )}{" "}
          {count}: «<VisibleName className="font-mono">{visibleText(begin)}</VisibleName>
          {characters.length > SHOWN && "…"}»
        </>
      }
      hint="Text that was already sent may still arrive. Discard drops only the text behind it."
      onEscape={onEscape}
    >
      <Button onClick={onDiscard}>Discard</Button>
    </TerminalPrompt>
  );
}
