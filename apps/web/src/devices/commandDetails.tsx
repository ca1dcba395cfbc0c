import type { Command } from "@grove/schemas";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Ban, RotateCcw } from "lucide-react";
import { useRef } from "react";
import { useOrganization } from "../hooks/useOrganization";
import { queries, queryClient } from "../lib/api";
import { newId } from "../lib/newId";
import { useShortcuts } from "../shortcuts/shortcuts";
import { Button } from "../ui/button";
import { Facts } from "../ui/facts";
import { Problem } from "../ui/problem";
import { Progress } from "../ui/progress";
import { Time } from "../ui/time";
import { VisibleName } from "../ui/visibleName";
import { durationInWords, type Phase, phasesOf } from "./phases";
import { Shown } from "./shown";
import { canBeRepeated, commandStates, explanations, mayRun } from "./words";

const FOLLOW_MS = 1_000;

/** Everything about one command, which is followed until it has ended. */
export function CommandDetails({ id }: { id: string }) {
  const { id: organizationId } = useOrganization();
  const found = useQuery(
    queries.agent.getCommand.queryOptions(
      { organizationId, id },
      { refetchInterval: ({ state }) => (state.data && !mayRun(state.data.status) ? false : FOLLOW_MS) },
    ),
  );
  const command = found.data;
  if (found.error && !command) return <Problem title="The command cannot be shown." error={found.error} />;
  if (!command) return <p className="text-muted">Reading the command …</p>;
  const { tool, status, params, result, lateResult, resultRemovedAt, error, progress } = command;
  const explanation = explanations[status];
  return (
    <div className="flex flex-col items-start gap-4">
      <Actions command={command} />
      {explanation && <p>{explanation}</p>}
      {mayRun(command.status) && progress && (
        <div className="w-full max-w-md">
          <p className="mb-1.5 wrap-anywhere">{progress.message}</p>
          <Progress label={`Progress of ${tool}`} fraction={progress.fraction} />
        </div>
      )}
      {error && (
        <p className="wrap-anywhere">
          <code className="mr-2 font-mono text-danger text-sm">{error.reason}</code>
          <VisibleName>{error.message}</VisibleName>
        </p>
      )}
      <Life command={command} />
      <Shown title="Parameters" value={params} />
      {result !== null && <Shown title="Result" value={result} />}
      {resultRemovedAt && (
        <p className="text-muted">
          Its result is no longer kept, since <Time at={resultRemovedAt} />. “Again” asks for a new one.
        </p>
      )}
      {lateResult !== null && (
        <Shown title="Late result" value={lateResult}>
          It arrived after the command had already ended as {commandStates[status].words.toLowerCase()}.
        </Shown>
      )}
    </div>
  );
}

/** The ways on: to stop it, or to ask for the same again. */
function Actions({ command }: { command: Command }) {
  const { id: organizationId } = useOrganization();
  const { id, tool, params, deviceId } = command;
  const navigate = useNavigate({ from: "/o/$organization/devices/$deviceId" });
  // The same press is the same command, also when its answer was lost.
  const key = useRef(newId());
  const readAgain = () => queryClient.invalidateQueries(queries.agent.listCommands.pathFilter());
  const cancel = useMutation(
    queries.agent.cancelCommand.mutationOptions({
      onSuccess: async (changed) => {
        const asked = queries.agent.getCommand.queryKey({ organizationId, id });
        queryClient.setQueryData(asked, changed);
        await readAgain();
      },
    }),
  );
  const again = useMutation(
    queries.agent.execute.mutationOptions({
      onSuccess: async (made) => {
        key.current = newId();
        await readAgain();
        await navigate({ to: ".", search: (search) => ({ ...search, command: made.id }) });
      },
    }),
  );
  const canCancel = mayRun(command.status) && !cancel.isPending && !cancel.isSuccess;
  const stop = () => canCancel && cancel.mutate({ organizationId, id });
  useShortcuts({
    title: "Command",
    scope: "page",
    shortcuts: [{ keys: "c", title: "Cancel the command", run: stop }],
  });
  const repeat = () =>
    again.mutate({
      ...{ organizationId, deviceId, tool, params },
      ...{ waitMs: 0, ifOffline: "queue", idempotencyKey: key.current },
    });
  const repeated = canBeRepeated(tool)
    ? undefined
    : "What was typed is not kept, so it cannot be sent again.";
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        {mayRun(command.status) && (
          <Button busy={!canCancel} onClick={stop}>
            <Ban aria-hidden="true" className="size-4" />
            Cancel
          </Button>
        )}
        <Button busy={again.isPending} reason={repeated} onClick={repeat}>
          <RotateCcw aria-hidden="true" className="size-4" />
          Again
        </Button>
        <span role="status" className="text-muted">
          {mayRun(command.status) &&
            cancel.isSuccess &&
            "The machine is asked to stop, and to undo what is half-made."}
        </span>
      </div>
      {cancel.error && <Problem title="It was not canceled." error={cancel.error} />}
      {again.error && <Problem title="It was not asked for again." error={again.error} />}
    </>
  );
}

const colors = ["bg-edge", "bg-warn", "bg-accent"];

/** The person behind a command, and how long each part of its life took. */
function Life({ command }: { command: Command }) {
  const { id: organizationId } = useOrganization();
  const members = useQuery(queries.organization.listMembers.queryOptions({ organizationId }));
  const { requestedBy, createdAt, attempt } = command;
  const phases = phasesOf(command, Date.now());
  return (
    <div className="flex w-full max-w-md flex-col gap-3">
      <Facts
        facts={[
          [
            "Asked",
            <span key="asked">
              <Time at={createdAt} /> by{" "}
              <VisibleName>
                {members.data?.find(({ userId }) => userId === requestedBy)?.name ?? "a former member"}
              </VisibleName>
            </span>,
          ],
          ["Sent", attempt === 0 ? "Not yet" : attempt === 1 ? "Once" : `${attempt} times`],
        ]}
      />
      <div aria-hidden="true" className="flex h-2 w-full gap-px overflow-hidden rounded-full">
        {phases.map(({ title, ms }, index) => (
          <span key={title} className={`min-w-1 ${colors[index]}`} style={{ flexGrow: Math.max(ms, 1) }} />
        ))}
      </div>
      <ul className="flex flex-wrap gap-x-5 gap-y-1 text-sm">
        {phases.map(({ title, ms }: Phase, index) => (
          <li key={title} className="flex items-center gap-1.5">
            <span aria-hidden="true" className={`size-2 rounded-full ${colors[index]}`} />
            {title} <span className="text-muted tabular-nums">{durationInWords(ms)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
