import { errorData } from "@grove/client";
import type { AgentSession, SessionOutputsEvent } from "@grove/schemas";
import { client } from "../../lib/api";
import { storedToken } from "../../lib/browser/sessionToken";
import { hubConnection } from "../../live/hubConnection";
import { openWhileVisible } from "../../live/openWhileVisible";
import type { Size } from "./createXterm";

const REFUSED_RETRY_MS = 5_000;

interface Key {
  organizationId: string;
  /** The session. */
  id: string;
  /** The current user. */
  userId: string;
}

interface Handlers {
  /** The terminal's size: initially, and after each change. */
  onSize: (size: Size) => void;
  onOutput: (output: string) => void;
  /** Chunks before the next one are missing, because they were already deleted. */
  onGap: () => void;
  /** A user has typed. */
  onTyping: (userId: string) => void;
  onEnd: (session: AgentSession) => void;
  /** Whether the stream is open. It reconnects automatically. */
  onConnection: (isOpen: boolean) => void;
  /** The output cannot be read, and a retry would not help. */
  onError: (error: Error) => void;
}

/**
 * Streams a session's output, stored output first, while the tab is visible. After an interruption it resumes after the
 * last chunk, so no chunk arrives twice.
 * @returns a function that stops streaming
 */
export function followOutput({ organizationId, id, userId }: Key, handlers: Handlers): () => void {
  let lastSequence = 0;
  const onOutput = (event: SessionOutputsEvent) => {
    if (event.type === "size") handlers.onSize(event);
    else if (event.type === "typing") handlers.onTyping(event.userId);
    else if (event.type === "output") {
      if (event.sequence > lastSequence + 1) handlers.onGap();
      lastSequence = event.sequence;
      handlers.onOutput(event.data);
    } else if (event.type === "end") {
      end();
      handlers.onEnd(event.session);
    }
  };
  /** Returns why the output was refused: a call for it fails for the same reason. */
  const refusal = () =>
    client.agent.sessionTail.query({ organizationId, id, length: 1 }).then(
      () => undefined,
      (error: Error) => (errorData(error) ? error : undefined),
    );
  const open = () => {
    let retry: ReturnType<typeof setTimeout> | undefined;
    let isOpen = true;
    const follow = () =>
      hubConnection.follow({
        subscription: { organizationId, userId, token: storedToken() },
        session: id,
        after: () => lastSequence,
        onConnection: handlers.onConnection,
        onOutput: (event) => {
          if (event.type === "refused") void onRefused();
          else onOutput(event);
        },
      });
    let unfollow = follow();
    const onRefused = async () => {
      unfollow();
      const error = await refusal();
      if (!isOpen) return;
      if (error) {
        end();
        handlers.onError(error);
      } else
        retry = setTimeout(() => {
          unfollow = follow();
        }, REFUSED_RETRY_MS);
    };
    return () => {
      isOpen = false;
      clearTimeout(retry);
      unfollow();
    };
  };
  const end = openWhileVisible(open);
  return end;
}
