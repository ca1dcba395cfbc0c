import { errorData } from "@grove/client";
import type { AgentSession, Device, ShownScreen } from "@grove/schemas";
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { MessageCircleQuestion } from "lucide-react";
import { type FormEvent, useEffect, useId, useState } from "react";
import { queries, queryClient } from "../app/api";
import { DeviceName } from "../app/deviceName";
import { useOrganization } from "../app/useOrganization";
import { screenOfRefusal, typeText, wasRefused } from "../terminal/typeText";
import { Button, buttonClass } from "../ui/button";
import { Problem } from "../ui/problem";
import { Time } from "../ui/time";
import { VisibleName } from "../ui/visibleName";
import { optionsOf } from "./options";

interface AskCardProps {
  session: AgentSession;
  /** The name of its workspace; undefined if that is gone. */
  workspace: string | undefined;
  /** The machine that it runs on; undefined until it is known. */
  device: Device | undefined;
}

const ESCAPE = "\u001b";

/** An agent that asks, with the lines that it shows. The answer is typed into its terminal. */
export function AskCard({ session, workspace, device }: AskCardProps) {
  const { id: organizationId, slug: organization } = useOrganization();
  const { id, agent, startedAt } = session;
  // After a refusal, the card shows what the machine has reported with it, until the session's own report is newer.
  const [changed, setChanged] = useState<ShownScreen>();
  const isChanged = changed !== undefined && changed.number > (session.screen ?? 0);
  const asks = isChanged ? changed.lines : session.asks;
  const screen = isChanged ? changed.number : (session.screen ?? undefined);
  const title = useId();
  const [text, setText] = useState("");
  const answer = useMutation({
    mutationFn: (input: string) => typeText({ organizationId, id }, input, screen),
    // It stays nowhere on the page.
    gcTime: 0,
    onSuccess: () => setText(""),
    onError: (error) => setChanged((before) => screenOfRefusal(error) ?? before),
    onSettled: () => queryClient.invalidateQueries(queries.agent.listSessions.pathFilter()),
  });
  const { mutate: type, error, reset } = answer;
  const away = device?.status === "offline" ? "Its machine is away." : undefined;
  const isRefused = wasRefused(error);
  const isOther = screenOfRefusal(error) !== undefined;
  useEffect(() => {
    // The card says from now on whether the machine is there. The answer stays in its field.
    if (away !== undefined && isRefused) reset();
  }, [away, isRefused, reset]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!answer.isPending && away === undefined) type(`${text}\r`);
  };
  return (
    <article
      aria-labelledby={title}
      data-asks={id}
      className="flex flex-col gap-2.5 rounded-lg border border-warn/40 bg-raised p-3"
    >
      <header className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="flex min-w-0 items-center gap-2">
          <MessageCircleQuestion
            aria-hidden="true"
            className="size-4 shrink-0 text-warn"
            strokeWidth={2.25}
          />
          <h3 id={title} className="wrap-anywhere min-w-0">
            <VisibleName className="font-semibold">{agent}</VisibleName> asks
            {workspace !== undefined && (
              <>
                {" in "}
                <VisibleName className="font-semibold">{workspace}</VisibleName>
              </>
            )}
          </h3>
        </span>
        <span className="text-muted text-sm">
          {device !== undefined && (
            <>
              on <DeviceName device={device} />,{" "}
            </>
          )}
          started <Time at={startedAt} />
        </span>
        <Link
          to="/o/$organization/agents/$sessionId"
          params={{ organization, sessionId: id }}
          className={`ml-auto ${buttonClass("quiet")}`}
        >
          Terminal<span className="sr-only"> of {agent}</span>
        </Link>
      </header>
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
      <form onSubmit={submit} className="flex flex-wrap items-center gap-2">
        {optionsOf(asks ?? "").map(({ key, words }) => (
          <Button key={key} busy={answer.isPending} reason={away} onClick={() => type(key)}>
            <kbd className="font-mono text-muted">{key}</kbd>
            <span className="max-w-[min(16rem,55vw)] truncate">{words}</span>
          </Button>
        ))}
        <span className="flex min-w-48 flex-1 gap-2">
          <input
            aria-label={`Answer ${agent}${workspace === undefined ? "" : ` in ${workspace}`}`}
            placeholder="Type an answer"
            autoComplete="off"
            maxLength={9_999}
            value={text}
            onChange={({ target }) => setText(target.value)}
            className="h-8 min-w-0 flex-1 rounded-md border border-edge bg-surface px-2.5 font-mono text-sm outline-offset-0"
          />
          <Button type="submit" look="primary" busy={answer.isPending} reason={away}>
            {text === "" ? "Press Enter" : "Send"}
          </Button>
        </span>
        <Button look="quiet" busy={answer.isPending} reason={away} onClick={() => type(ESCAPE)}>
          Esc<span className="sr-only">: press Escape in the terminal</span>
        </Button>
      </form>
      <p role="status" className="text-muted text-sm empty:hidden">
        {statusOf({ ...answer, isAway: away !== undefined })}
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
