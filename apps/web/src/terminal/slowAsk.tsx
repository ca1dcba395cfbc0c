import type { AgentSession } from "@grove/schemas";
import { visibleText } from "@grove/schemas";
import { useQuery } from "@tanstack/react-query";
import { queries } from "../lib/api";
import { Button } from "../ui/button";
import { VisibleName } from "../ui/visibleName";
import { Ask } from "./ask";

const clock = new Intl.DateTimeFormat("en", { timeStyle: "short", hour12: false });

/** The characters of the text that are shown. */
const SHOWN = 40;
const READ_MS = 5_000;

interface SlowAskProps {
  organizationId: string;
  session: AgentSession;
  /** The text that the machine has not confirmed. */
  text: string;
  onDiscard: () => void;
  onEscape: () => void;
}

/** Shows text that waits for a machine which does not answer. */
export function SlowAsk({ organizationId, session, text, onDiscard, onEscape }: SlowAskProps) {
  const { data: device } = useQuery({
    ...queries.device.get.queryOptions({ organizationId, id: session.deviceId }),
    refetchInterval: READ_MS,
  });
  const characters = [...text];
  const begin = characters.slice(0, SHOWN).join("").replaceAll("\r", "⏎");
  const count = `${characters.length} ${characters.length === 1 ? "character waits" : "characters wait"}`;
  return (
    <Ask
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
      hint="Text that is on its way may still arrive. Discard drops the text behind it."
      onEscape={onEscape}
    >
      <Button onClick={onDiscard}>Discard</Button>
    </Ask>
  );
}
