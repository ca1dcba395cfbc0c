import { errorData } from "@grove/client";
import type { AgentSession, Device } from "@grove/schemas";
import { useEffect, useId } from "react";
import { screenOfRefusal, wasRefused } from "../terminal/typeText";
import { Problem } from "../ui/problem";
import { AnswerForm, UnsentAnswer } from "./answerForm";
import { AskHeader } from "./askHeader";
import { optionsOf } from "./options";
import { useAnswer, useShownScreen } from "./useAnswer";

interface AskCardProps {
  session: AgentSession;
  /** The name of its workspace; undefined if that is gone. */
  workspace: string | undefined;
  /** The machine that it runs on; undefined until it is known. */
  device: Device | undefined;
  /** False once the agent has gone on, while the card still has an answer that was not sent. */
  isWaiting: boolean;
  /** Called with whether the field has a text that was not sent. */
  onUnsent(session: AgentSession, isUnsent: boolean): void;
}

/** An agent that waits for input, with the lines that it shows. The answer is typed into its terminal. */
export function AskCard({ session, workspace, device, isWaiting, onUnsent }: AskCardProps) {
  const { id, agent } = session;
  const title = useId();
  const { asks, screen, refuse } = useShownScreen(session);
  const answer = useAnswer(session, { screen, onRefused: refuse, onUnsent });
  const { text, error, reset } = answer;
  const isOther = screenOfRefusal(error) !== undefined;
  const isRefused = wasRefused(error);
  const away = device?.status === "offline" ? "Its machine is away." : undefined;
  useEffect(() => {
    // The card shows from now on whether the machine is online. The answer stays in its field.
    if (away !== undefined && isRefused) reset();
  }, [away, isRefused, reset]);
  return (
    <article
      aria-labelledby={title}
      data-asks={id}
      className="flex flex-col gap-2.5 rounded-lg border border-warn/40 bg-raised p-3"
    >
      <AskHeader {...{ session, workspace, device, title, isWaiting }} />
      {isOther && (
        <p role="alert" className="text-sm text-warn">
          {errorData(error)?.reason === "choice_shown"
            ? "It shows a choice. Nothing was typed: press one of its keys."
            : "It asks something else now. Nothing was typed:"}
        </p>
      )}
      {asks === null ? (
        <p className="text-muted">Its terminal shows what it asks.</p>
      ) : (
        <pre
          dir="auto"
          className="wrap-anywhere whitespace-pre-wrap rounded-md bg-ground px-3 py-2 font-mono text-sm"
        >
          {asks}
        </pre>
      )}
      {isWaiting ? (
        <AnswerForm
          label={`Answer ${agent}${workspace === undefined ? "" : ` in ${workspace}`}`}
          options={optionsOf(asks ?? "")}
          {...{ answer, away }}
        />
      ) : (
        <UnsentAnswer text={text} onDiscard={() => answer.setText("")} />
      )}
      <p role="status" className="text-muted text-sm empty:hidden">
        {isWaiting && statusOf({ ...answer, isAway: away !== undefined })}
      </p>
      {error && !isOther && (
        <Problem
          title={
            isRefused
              ? "This was not typed."
              : "It is not known whether this was typed. It is not sent again."
          }
          error={error}
        />
      )}
    </article>
  );
}

function statusOf(now: { isAway: boolean; isPending: boolean; isSuccess: boolean }): string {
  if (now.isAway) return "Its machine is away. The answer can be typed as soon as that is back.";
  if (now.isPending) return "Typing …";
  return now.isSuccess ? "Typed. The agent goes on, or asks again." : "";
}
