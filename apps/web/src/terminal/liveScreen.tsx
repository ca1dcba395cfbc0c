import { useEffect, useRef } from "react";
import { INITIAL_SIZE } from "./emulator/createXterm";
import { Emulator } from "./emulator/emulator";
import { type SessionKey, useSessionOutput } from "./useSessionOutput";
import { useTerminalSize } from "./useTerminalSize";

/** Small enough for two screens of 120 columns beside each other. */
const MIN_FONT_PX = 6;

const nothing = () => undefined;

/** A session's screen, live and scaled to fit its element. It takes no focus, keys or clicks. */
export function LiveScreen({ organizationId, id }: SessionKey) {
  const host = useRef<HTMLDivElement>(null);
  const emulator = useRef<Emulator>(undefined);
  useEffect(() => {
    if (!host.current) return;
    const opened = new Emulator(host.current, {
      size: INITIAL_SIZE,
      onType: nothing,
      onPasteLines: nothing,
      onLink: nothing,
      onTitle: nothing,
      onCopy: nothing,
      onLeave: nothing,
      onEscape: () => false,
      screenReader: false,
      minFontPx: MIN_FONT_PX,
    });
    emulator.current = opened;
    return () => opened.close();
  }, []);
  const { isSizeKnown, error } = useSessionOutput(emulator, { organizationId, id });
  useTerminalSize({ host, emulator, isTyping: false, organizationId, id });
  if (error) return <p className="p-2 text-sm">{error.message}</p>;
  return <div inert ref={host} className={`h-full w-full ${isSizeKnown ? "" : "invisible"}`} />;
}
