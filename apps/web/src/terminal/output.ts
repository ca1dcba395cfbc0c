import type { AgentSession } from "@grove/schemas";
import { client } from "../lib/api";
import { openWhileVisible } from "../live/openWhileVisible";
import { type SlotHolder, withTerminalSlot } from "../live/terminalSlot";
import type { Size } from "./pane";

interface Handlers {
  /** The terminal's size: first, and whenever somebody changes it. */
  onSize: (size: Size) => void;
  onOutput: (output: string) => void;
  /** Chunks are missing before the next one, since they are no longer kept. */
  onGap: () => void;
  onEnd: (session: AgentSession) => void;
  /** Whether the stream is open. It reconnects by itself. */
  onConnection: (open: boolean) => void;
  /** Whether there is a connection for this terminal: a browser has few for all tabs. */
  onSlot: (has: boolean) => void;
  /** The stream has ended with an error that another try would not change. */
  onError: (error: Error) => void;
}

/**
 * Follows what a session prints, from the kept part on, while the tab is visible and there is a place for the terminal.
 * After a break it continues behind the chunk that was seen last: nothing comes twice.
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
