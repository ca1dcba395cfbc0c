import { type RefObject, useEffect } from "react";
import { client } from "../lib/api";
import type { Emulator } from "./emulator/emulator";
import type { SessionKey } from "./useSessionOutput";

const DEBOUNCE_MS = 150;

interface SizeOptions extends SessionKey {
  host: RefObject<HTMLElement | null>;
  emulator: RefObject<Emulator | undefined>;
  isTyping: boolean;
}

/** While typing, resizes the session to fit the page. For a viewer, scales the font to the session's size instead. */
export function useTerminalSize({ host, emulator, isTyping, organizationId, id }: SizeOptions): void {
  useEffect(() => {
    const element = host.current;
    if (!element) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const resizeSession = () => {
      const size = isTyping ? emulator.current?.fittingSize() : undefined;
      if (!size) return;
      emulator.current?.resize(size);
      // If this fails, the session keeps its size. The stream reports the current size to all viewers.
      client.agent.resizeSession.mutate({ organizationId, id, ...size }).catch(() => undefined);
    };
    const observer = new ResizeObserver(() => {
      if (!isTyping) emulator.current?.scaleFont();
      clearTimeout(timer);
      timer = setTimeout(resizeSession, DEBOUNCE_MS);
    });
    observer.observe(element);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
    };
  }, [host, emulator, isTyping, organizationId, id]);
}
