import type { Command } from "@grove/schemas";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Ban, RotateCcw } from "lucide-react";
import { useRef } from "react";
import { commandStates } from "../../components/commandStates";
import { useOrganization } from "../../hooks/useOrganization";
import { queries, queryClient } from "../../lib/api";
import { commandQuery } from "../../lib/commands/commandQuery";
import { isOpenStatus } from "../../lib/commands/isOpenStatus";
import { newId } from "../../lib/newId";
import { useShortcuts } from "../../shortcuts/useShortcuts";
import { Button } from "../../ui/button";
import { DescriptionList } from "../../ui/descriptionList";
import { Problem } from "../../ui/problem";
import { Progress } from "../../ui/progress";
import { Time } from "../../ui/time";
import { VisibleName } from "../../ui/visibleName";
import { canRunAgain, explanations, toolLabel } from "./commandLabels";
import { formatDuration, type Phase, phasesOf } from "./commandPhases";
import { JsonValue } from "./jsonValue";

/** The details of a command, polled until the command has ended. */
export function CommandDetails({ id }: { id: string }) {
  const { id: organizationId } = useOrganization();
  const query = useQuery(commandQuery(organizationId, id));
  const command = query.data;
  if (query.error && !command) return <Problem title="Could not load the command." error={query.error} />;
  if (!command) return <p className="text-muted">Loading the command…</p>;
  const { tool, status, params, result, lateResult, resultRemovedAt, error, progress } = command;
  const explanation = explanations[status];
  return (
    <div className="flex flex-col items-start gap-4">
      <Actions command={command} />
      {explanation && <p>{explanation}</p>}
      {isOpenStatus(command.status) && progress && (
        <div className="w-full max-w-md">
          <p className="mb-1.5 wrap-anywhere">{progress.message}</p>
          <Progress label={`Progress: ${toolLabel(tool)}`} fraction={progress.fraction} />
        </div>
      )}
      {error && (
        <p className="wrap-anywhere">
          <code className="mr-2 font-mono text-danger text-sm">{error.reason}</code>
          <VisibleName>{error.message}</VisibleName>
        </p>
      )}
      <Timeline command={command} />
      <JsonValue title="Parameters" value={params} />
      {result !== null && <JsonValue title="Result" value={result} />}
      {resultRemovedAt && (
        <p className="text-muted">
          The result was removed <Time at={resultRemovedAt} />. Run the command again to get a new one.
        </p>
      )}
      {lateResult !== null && (
        <JsonValue title="Late result" value={lateResult}>
          It arrived after the command had already ended as {commandStates[status].label.toLowerCase()}.
        </JsonValue>
      )}
    </div>
  );
}

function Actions({ command }: { command: Command }) {
  const { id: organizationId } = useOrganization();
  const { id, tool, params, deviceId } = command;
  const navigate = useNavigate({ from: "/o/$organization/devices/$deviceId" });
  // A retry after a lost response has the same key, so it does not run the command twice.
  const key = useRef(newId());
  const refetchList = () => queryClient.invalidateQueries(queries.agent.listCommands.pathFilter());
  const cancel = useMutation(
    queries.agent.cancelCommand.mutationOptions({
      onSuccess: async (changed) => {
        const queryKey = queries.agent.getCommand.queryKey({ organizationId, id });
        queryClient.setQueryData(queryKey, changed);
        await refetchList();
      },
    }),
  );
  const runAgain = useMutation(
    queries.agent.execute.mutationOptions({
      onSuccess: async (created) => {
        key.current = newId();
        await refetchList();
        await navigate({ to: ".", search: (search) => ({ ...search, command: created.id }) });
      },
    }),
  );
  const canCancel = isOpenStatus(command.status) && !cancel.isPending && !cancel.isSuccess;
  const cancelCommand = () => canCancel && cancel.mutate({ organizationId, id });
  useShortcuts({
    title: "Command",
    scope: "page",
    shortcuts: [{ keys: "c", title: "Cancel command", run: cancelCommand }],
  });
  const repeatCommand = () =>
    runAgain.mutate({
      organizationId,
      deviceId,
      tool,
      params,
      waitMs: 0,
      ifOffline: "queue",
      idempotencyKey: key.current,
    });
  const reason = canRunAgain(tool) ? undefined : "Typed text is not stored, so it cannot be sent again.";
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        {isOpenStatus(command.status) && (
          <Button busy={!canCancel} onClick={cancelCommand}>
            <Ban aria-hidden="true" className="size-4" />
            Cancel
          </Button>
        )}
        <Button busy={runAgain.isPending} reason={reason} onClick={repeatCommand}>
          <RotateCcw aria-hidden="true" className="size-4" />
          Run again
        </Button>
        <span role="status" className="text-muted">
          {isOpenStatus(command.status) &&
            cancel.isSuccess &&
            "The machine stops the command and cleans up any incomplete work."}
        </span>
      </div>
      {cancel.error && <Problem title="Could not cancel the command." error={cancel.error} />}
      {runAgain.error && <Problem title="Could not run the command again." error={runAgain.error} />}
    </>
  );
}

const colors = ["bg-edge", "bg-warn", "bg-accent"];

/** The requester of a command, and the duration of each of its phases. */
function Timeline({ command }: { command: Command }) {
  const { id: organizationId } = useOrganization();
  const members = useQuery(queries.organization.listMembers.queryOptions({ organizationId }));
  const { tool, requestedBy, createdAt, attempt } = command;
  const phases = phasesOf(command, Date.now());
  return (
    <div className="flex w-full max-w-md flex-col gap-3">
      <DescriptionList
        facts={[
          [
            "Requested",
            <span key="requested">
              <Time at={createdAt} /> by{" "}
              <VisibleName>
                {members.data?.find(({ userId }) => userId === requestedBy)?.name ?? "a former member"}
              </VisibleName>
            </span>,
          ],
          [
            "Tool",
            <code key="tool" className="font-mono text-sm">
              {tool}
            </code>,
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
            {title} <span className="text-muted tabular-nums">{formatDuration(ms)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
