import type { AgentSession } from "@grove/schemas";
import { client } from "../app/api";
import { whileVisible } from "../live/whileVisible";
import type { Size } from "./pane";

interface Handlers {
  /** The terminal's size: first, and whenever somebody changes it. */
  onSize: (size: Size) => void;
  onOutput: (output: string) => void;
  onEnd: (session: AgentSession) => void;
  /** Whether the stream is open. It reconnects by itself. */
  onConnection: (open: boolean) => void;
  /** The stream has ended with an error that another try would not change. */
  onError: (error: Error) => void;
}

/**
 * Follows what a session prints, from the kept part on, while the tab is visible. After a break it continues behind the
 * chunk that was seen last: nothing comes twice.
 * @returns ends it
 */
export function followOutput(key: { organizationId: string; id: string }, handlers: Handlers): () => void {
  let last = 0;
  let ended = false;
  const open = () => {
    if (ended) return () => undefined;
    const subscription = client.agent.sessionOutput.subscribe(
      { ...key, ...(last > 0 && { lastEventId: last }) },
      {
        onData: ({ data }) => {
          if (data.type === "size") handlers.onSize(data);
          else if (data.type === "end") {
            ended = true;
            handlers.onEnd(data.session);
          } else if (data.sequence > last) {
            last = data.sequence;
            handlers.onOutput(data.data);
          }
        },
        onConnectionStateChange: ({ state }) => handlers.onConnection(state === "pending"),
        onError: (error) => {
          ended = true;
          handlers.onError(error);
        },
      },
    );
    return () => subscription.unsubscribe();
  };
  return whileVisible(open);
}
