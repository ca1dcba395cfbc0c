import type { AgentSession } from "@grove/schemas";
import { type RefObject, useEffect, useState } from "react";
import { useUser } from "../hooks/useOrganization";
import { queries, queryClient } from "../lib/api";
import type { Emulator } from "./emulator/emulator";
import { followOutput } from "./emulator/followOutput";
import { useTypingUser } from "./useTypingUser";

export interface SessionKey {
  organizationId: string;
  id: string;
}

/** Streams a session's output and size into its terminal. */
export function useSessionOutput(emulator: RefObject<Emulator | undefined>, key: SessionKey) {
  const { organizationId, id } = key;
  const { id: userId } = useUser();
  const [isSizeKnown, setSizeKnown] = useState(false);
  const [isConnected, setConnected] = useState(false);
  const { typingUserId, onTyping } = useTypingUser(userId);
  const [error, setError] = useState<Error>();
  useEffect(
    () =>
      followOutput(
        { organizationId, id, userId },
        {
          onSize: (size) => {
            emulator.current?.resize(size);
            setSizeKnown(true);
          },
          onOutput: (output) => void emulator.current?.write(output),
          onGap: () => emulator.current?.cancelSequence(),
          onTyping,
          onEnd: (session) => storeEnd(organizationId, session),
          onConnection: setConnected,
          onError: setError,
        },
      ),
    [emulator, organizationId, id, userId, onTyping],
  );
  return { isSizeKnown, isConnected, typingUserId, error };
}

/** Updates the cache when a session ends. */
function storeEnd(organizationId: string, session: AgentSession): void {
  const { id } = session;
  queryClient.setQueryData(queries.agent.getSession.queryKey({ organizationId, id }), session);
  void queryClient.invalidateQueries(queries.agent.listSessions.pathFilter());
}
