import { errorData } from "@grove/client";
import type { AgentSession, Device } from "@grove/schemas";
import { useEffect, useId } from "react";
import { deviceTexts } from "../components/deviceStates";
import { sessionName } from "../lib/agentSessions/sessionName";
import { screenOfRefusal, wasRefused } from "../terminal/input/typeText";
import { Problem } from "../ui/problem";
import { VisibleName } from "../ui/visibleName";
import { AnswerForm, UnsentAnswer } from "./answerForm";
import { parseMenu } from "./menuOptions";
import { useAnswer, useShownScreen } from "./useAnswer";
import { WaitingAgentHeader } from "./waitingAgentHeader";

interface WaitingAgentCardProps {
  session: AgentSession;
  /** The workspace's name; undefined if it was deleted. */
  workspace: string | undefined;
  /** The machine that it runs on; undefined until loaded. */
  device: Device | undefined;
  /** False if the agent has continued, and the card stays only for its unsent answer. */
  isWaiting: boolean;
  /** Reports whether the field has unsent text. */
  onUnsent(session: AgentSession, isUnsent: boolean): void;
}

/** An agent that waits for input, with its screen. The answer is typed into its terminal. */
export function WaitingAgentCard({ session, workspace, device, isWaiting, onUnsent }: WaitingAgentCardProps) {
  const { activity } = session;
  const hasStopped = activity?.state === "limited" || activity?.state === "failed";
  const title = useId();
  const { questionText, screen, refuse } = useShownScreen(session);
  const answer = useAnswer(session, { screen, onRefused: refuse, onUnsent });
  const { text, error, reset } = answer;
  const hasScreenChanged = screenOfRefusal(error) !== undefined;
  const isRefused = wasRefused(error);
  const unavailable = device?.status === "offline" ? deviceTexts.offline : undefined;
  useEffect(() => {
    // The offline status replaces the error. The answer stays in its field.
    if (unavailable !== undefined && isRefused) reset();
  }, [unavailable, isRefused, reset]);
  return (
    <article
      aria-labelledby={title}
      className="flex flex-col gap-2.5 rounded-lg border border-warn/40 bg-raised p-3"
    >
      <WaitingAgentHeader
        session={session}
        workspace={workspace}
        device={device}
        title={title}
        isWaiting={isWaiting}
      />
      {hasScreenChanged && (
        <p role="alert" className="text-sm text-warn">
          {errorData(error)?.reason === "choice_shown"
            ? "It shows a menu, so nothing was typed. Press one of the menu's keys."
            : "The question has changed, so nothing was typed. It is now:"}
        </p>
      )}
      {hasStopped && activity?.detail != null && (
        <p className="wrap-anywhere text-sm">
          <VisibleName>{activity.detail}</VisibleName>
        </p>
      )}
      {questionText === null && !hasStopped && (
        <p className="text-muted">Open its terminal to see the question.</p>
      )}
      {questionText !== null && (
        <pre
          dir="auto"
          className="wrap-anywhere whitespace-pre-wrap rounded-md bg-ground px-3 py-2 font-mono text-sm"
        >
          {questionText}
        </pre>
      )}
      {isWaiting ? (
        <AnswerForm
          label={`Answer ${sessionName(session)}${workspace === undefined ? "" : ` in ${workspace}`}`}
          options={parseMenu(questionText ?? "")}
          hasStopped={hasStopped}
          answer={answer}
          unavailable={unavailable}
        />
      ) : (
        <UnsentAnswer text={text} onDiscard={() => answer.setText("")} />
      )}
      <p role="status" className="text-muted text-sm empty:hidden">
        {isWaiting && statusOf({ ...answer, isOffline: unavailable !== undefined })}
      </p>
      {error && !hasScreenChanged && (
        <Problem
          title={
            isRefused
              ? "Could not type your answer."
              : "Your answer may or may not have been typed. It is not sent again."
          }
          error={error}
        />
      )}
    </article>
  );
}

function statusOf(now: { isOffline: boolean; isPending: boolean; isSuccess: boolean }): string {
  if (now.isOffline) return `${deviceTexts.offline} You can answer when it is back online.`;
  if (now.isPending) return "Typing…";
  return now.isSuccess ? "Typed." : "";
}
