import type { AgentRequest, AgentSession, Device } from "@grove/schemas";
import { Link } from "@tanstack/react-router";
import { useId, useMemo, useState } from "react";
import { deviceTexts } from "../../components/deviceStates";
import { useOrganization } from "../../hooks/useOrganization";
import { buttonClass } from "../../ui/button";
import { Problem } from "../../ui/problem";
import { UnsentAnswer } from "../answerForm";
import { answersOf, type QuestionDraft } from "./answersOf";
import { DenyForm } from "./denyForm";
import { QuestionFields } from "./questionFields";
import { RequestActions } from "./requestActions";
import { RequestContent } from "./requestContent";
import { RequestHeader } from "./requestHeader";
import { SettledNote } from "./settledNote";
import { useOutcome, useRequestAnswer } from "./useRequestAnswer";

export interface RequestCardProps {
  request: AgentRequest;
  /** False once it was settled. The card stays for a moment, and shows the outcome. */
  isOpen: boolean;
  session: AgentSession | undefined;
  workspace: string | undefined;
  device: Device | undefined;
  /** Whether the keys of the page act on this card. */
  isCurrent: boolean;
  onFocus: () => void;
  onAnswered: () => void;
  onSnoozed: () => void;
  /** Called to dismiss a settled request. Undefined if the request cannot be dismissed. */
  onDismiss: ((id: string) => void) | undefined;
}

/** A request of an agent, with the answers that it takes. */
export function RequestCard(props: RequestCardProps) {
  const { request, isOpen, device, isCurrent, onFocus, onAnswered, onSnoozed, onDismiss } = props;
  const titleId = useId();
  const dismiss = useMemo(() => onDismiss && (() => onDismiss(request.id)), [onDismiss, request.id]);
  const [message, setMessage] = useState("");
  const [isDenying, setDenying] = useState(false);
  const [drafts, setDrafts] = useState<QuestionDraft[]>([]);
  const answer = useRequestAnswer(request, () => {
    setMessage("");
    setDrafts([]);
    onAnswered();
  });
  const outcome = useOutcome(request, { isOpen, answer });
  const { send, isPending } = answer;
  const questions = request.questions ?? [];
  const answers = answersOf(questions, drafts);
  const deny = () => send({ decision: "deny", ...(message.trim() !== "" && { message }) });
  const unsent = [message, ...drafts.map(({ own }) => own)].find((text) => text.trim() !== "");
  const takesAnswer = isOpen && !outcome && request.isAnswerable;
  return (
    <article
      aria-labelledby={titleId}
      data-request={request.id}
      data-current={isCurrent || undefined}
      tabIndex={-1}
      onFocus={onFocus}
      className="flex flex-col gap-2.5 rounded-lg border border-warn/40 bg-raised p-3 outline-offset-2 data-current:border-accent"
    >
      <RequestHeader {...props} titleId={titleId} />
      <RequestContent request={request} />
      {request.kind === "question" && (
        <QuestionFields questions={questions} drafts={drafts} onChange={setDrafts} isOff={!takesAnswer} />
      )}
      {takesAnswer && (
        <RequestActions
          request={request}
          isCurrent={isCurrent}
          onSnoozed={onSnoozed}
          isBusy={isPending}
          onAnswer={
            request.kind === "question" ? () => answers && send({ decision: "answer", answers }) : undefined
          }
          unanswered={answers ? undefined : "Choose or write an answer to each question."}
          onAllow={(scope) => send({ decision: "allow", scope })}
          onDeny={() => setDenying(true)}
        />
      )}
      {takesAnswer && isDenying && (
        <DenyForm
          message={message}
          onChange={setMessage}
          isBusy={isPending}
          onDeny={deny}
          onCancel={() => setDenying(false)}
        />
      )}
      {isOpen && !outcome && !request.isAnswerable && <AnswerInTerminal sessionId={request.sessionId} />}
      {takesAnswer && device?.status === "offline" && (
        <p className="text-muted text-sm">{deviceTexts.offline} It gets the answer when it is back online.</p>
      )}
      {outcome && unsent !== undefined && (
        <UnsentAnswer
          text={unsent}
          onDiscard={() => {
            setMessage("");
            setDrafts([]);
          }}
        />
      )}
      <SettledNote outcome={outcome} isKept={unsent !== undefined} onDismiss={dismiss} />
      {answer.error && !outcome && <Problem title="Could not send the answer." error={answer.error} />}
    </article>
  );
}

function AnswerInTerminal({ sessionId }: { sessionId: string }) {
  const { slug: organization } = useOrganization();
  return (
    <p>
      <Link
        to="/o/$organization/agents/$sessionId"
        params={{ organization, sessionId }}
        className={buttonClass()}
      >
        Answer in the terminal
      </Link>
    </p>
  );
}
