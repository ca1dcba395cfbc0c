import type { AgentSession, ShownScreen } from "@grove/schemas";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useOrganization } from "../hooks/useOrganization";
import { queries, queryClient } from "../lib/api";
import { screenOfRefusal, typeText } from "../terminal/input/typeText";

/**
 * Returns the lines on an agent's screen, and the screen's number. After a refused answer, these are the lines that
 * came with the refusal, until the session itself has newer ones.
 */
export function useShownScreen(session: AgentSession) {
  const [reported, setReported] = useState<ShownScreen>();
  const isNewer = reported !== undefined && reported.number > (session.screen ?? 0);
  return {
    questionText: isNewer ? reported.lines : session.questionText,
    screen: isNewer ? reported.number : (session.screen ?? undefined),
    refuse: setReported,
  };
}

interface AnswerOptions {
  screen: number | undefined;
  onRefused(screen: ShownScreen): void;
  onUnsent(session: AgentSession, isUnsent: boolean): void;
}

/**
 * Sends an answer to an agent. A text answers the screen that was displayed when its first character was typed. If
 * the screen has changed before it is sent, the device refuses it once, so that the user sees the new question.
 */
export function useAnswer(session: AgentSession, { screen, onRefused, onUnsent }: AnswerOptions) {
  const { id: organizationId } = useOrganization();
  const [draft, setDraft] = useState<{ text: string; screen?: number | undefined }>({ text: "" });
  const setText = (text: string) => {
    setDraft((before) => ({ text, screen: before.text === "" ? screen : before.screen }));
    onUnsent(session, text !== "");
  };
  const { mutate, error, reset, isPending, isSuccess } = useMutation({
    mutationFn: ({ input, answered }: { input: string; answered: number | undefined }) =>
      typeText({ organizationId, id: session.id }, input, answered),
    // The answer may be a secret, so it is not kept in the cache.
    gcTime: 0,
    onSuccess: () => setText(""),
    onError: (refusal) => {
      const shown = screenOfRefusal(refusal);
      if (!shown) return;
      onRefused(shown);
      setDraft(({ text }) => ({ text, screen: shown.number }));
    },
    onSettled: () => queryClient.invalidateQueries(queries.agent.listSessions.pathFilter()),
  });
  return {
    text: draft.text,
    setText,
    /** Presses a key, as an answer to the displayed screen. */
    type: (input: string) => mutate({ input, answered: screen }),
    send: () => mutate({ input: `${draft.text}\r`, answered: draft.text === "" ? screen : draft.screen }),
    error,
    reset,
    isPending,
    isSuccess,
  };
}

export type Answer = ReturnType<typeof useAnswer>;
