import type { AgentSession } from "@grove/schemas";
import { client } from "../lib/api";
import { openWhileVisible } from "../live/openWhileVisible";
import { type SlotHolder, withTerminalSlot } from "../live/terminalSlot";
import type { Size } from "./pane";

interface Handlers {
  /** The terminal's size: initially, and after each change. */
  onSize: (size: Size) => void;
  onOutput: (output: string) => void;
  /** Chunks before the next one are missing, because they were already deleted. */
  onGap: () => void;
  onEnd: (session: AgentSession) => void;
  /** Whether the stream is open. It reconnects automatically. */
  onConnection: (open: boolean) => void;
  /** Whether this terminal has one of the browser's few connections, which all tabs share. */
  onSlot: (has: boolean) => void;
  /** The stream failed with an error that a retry would not fix. */
  onError: (error: Error) => void;
}

/**
 * Streams a session's output, stored output first, while the tab is visible and a connection is free. After a
 * reconnect it resumes after the last chunk, so no chunk arrives twice.
 */
export function followOutput(key: { organizationId: string; id: string }, handlers: Handlers): SlotHolder {
  let last = 0;
  const open = () => {
    const subscription = client.agent.sessionOutput.subscribe(
      { ...key, ...(last > 0 && { lastEventId: last }) },
      {
        onData: ({ data }) => {
          if (data.type === "size") handlers.onSize(data);
          else if (data.type === "end") {
            end();
            handlers.onEnd(data.session);
          } else if (data.sequence > last) {
            if (data.sequence > last + 1) handlers.onGap();
            last = data.sequence;
            handlers.onOutput(data.data);
          }
        },
        onConnectionStateChange: ({ state }) => handlers.onConnection(state === "pending"),
        onError: (error) => {
          end();
          handlers.onError(error);
        },
      },
    );
    return () => subscription.unsubscribe();
  };
  let placed: SlotHolder | undefined;
  const end = openWhileVisible(() => {
    placed = withTerminalSlot(open, handlers.onSlot);
    return placed.end;
  });
  return { take: () => placed?.take(), end };
}
