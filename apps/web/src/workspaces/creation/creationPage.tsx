import type { Command } from "@grove/schemas";
import { useMutation, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { commandStates } from "../../components/commandStates";
import { useOrganization } from "../../hooks/useOrganization";
import { queries, queryClient } from "../../lib/api";
import { commandQuery } from "../../lib/commands/commandQuery";
import { isOpenStatus } from "../../lib/commands/isOpenStatus";
import { buttonClass } from "../../ui/button";
import { Page } from "../../ui/page";
import { Problem } from "../../ui/problem";
import { Progress } from "../../ui/progress";
import { Skeleton } from "../../ui/skeleton";
import { StateLabel, type StateStyle } from "../../ui/stateLabel";
import { VanishingButton } from "../../ui/vanishingButton";
import { VisibleName } from "../../ui/visibleName";
import { useAgentStarts } from "./agentStarts";
import { CreationItem } from "./creationItem";
import { itemsOf, problemsOf, progressOf, requestsOf } from "./workspaceCreation";

const route = getRouteApi("/signed-in/o/$organization/workspaces/creating/$commandId");

/** The creation of workspaces: live progress, then the result of each. */
export function CreationPage() {
  const { id: organizationId, slug: organization } = useOrganization();
  const { commandId } = route.useParams();
  const command = useQuery(commandQuery(organizationId, commandId));
  const isSettled = command.data !== undefined && !isOpenStatus(command.data.status);
  useEffect(() => {
    if (!isSettled) return;
    void queryClient.invalidateQueries(queries.workspace.list.pathFilter());
    void queryClient.invalidateQueries({ queryKey: ["deviceTool"] });
  }, [isSettled]);
  return (
    <Page
      title="New workspaces"
      actions={
        <Link to="/o/$organization/workspaces" params={{ organization }} className={buttonClass()}>
          All workspaces
        </Link>
      }
    >
      {command.error && !command.data && (
        <Problem
          title="Could not load the progress."
          error={command.error}
          onRetry={() => void command.refetch()}
        />
      )}
      {command.isPending && <Skeleton />}
      {command.data && <Creation command={command.data} />}
    </Page>
  );
}

/** Opens the terminal of the only agent, once it has started while the page was open. */
function useOpenStartedAgent(command: Command): void {
  const { slug: organization } = useOrganization();
  const navigate = useNavigate();
  const starts = useAgentStarts(command.id);
  const sessionId = requestsOf(command).length === 1 ? starts?.[0]?.sessionId : undefined;
  const [initial] = useState(sessionId);
  useEffect(() => {
    if (sessionId === undefined || sessionId === initial) return;
    void navigate({
      to: "/o/$organization/agents/$sessionId",
      params: { organization, sessionId },
      replace: true,
    });
  }, [organization, navigate, sessionId, initial]);
}

function Creation({ command }: { command: Command }) {
  const { id: organizationId } = useOrganization();
  useOpenStartedAgent(command);
  const devices = useQuery(queries.device.list.queryOptions({ organizationId }));
  const cancel = useMutation(queries.agent.cancelCommand.mutationOptions());
  const device = devices.data?.find(({ id }) => id === command.deviceId);
  const open = isOpenStatus(command.status);
  const { message, fraction } = progressOf(command);
  return (
    <div className="max-w-3xl">
      <div className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1" role="status">
        <StateLabel state={stateOfAll(command)} />
        <span className="text-muted">
          {device && (
            <>
              on <VisibleName>{device.name}</VisibleName>
            </>
          )}
          {open && message && `: ${message}`}
        </span>
        {open && (
          <Cancel busy={cancel.isPending} onClick={() => cancel.mutate({ organizationId, id: command.id })} />
        )}
      </div>
      {open && (
        <div className="mt-2">
          <Progress label="Progress" fraction={command.status === "running" ? fraction : 0} />
        </div>
      )}
      {cancel.error && <Problem title="Could not cancel." error={cancel.error} />}
      {command.error && (
        <div className="mt-3">
          <Problem title="Could not create the workspaces." error={{ message: command.error.message }} />
        </div>
      )}
      <ul className="mt-4 flex flex-col divide-y divide-line border-line border-y">
        {itemsOf(command).map((item, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: items have no other identity, and their order never changes.
          <CreationItem key={index} item={item} command={command} />
        ))}
      </ul>
    </div>
  );
}

const Cancel = (props: { busy: boolean; onClick: () => void }) => (
  <span className="ml-auto">
    <VanishingButton {...props}>Cancel</VanishingButton>
  </span>
);

/** Returns the state of the whole command, with the number of failed workspaces. */
function stateOfAll(command: Command): StateStyle {
  const items = itemsOf(command);
  const failed = items.filter(({ made }) => made?.error).length;
  if (failed === 0 || failed === items.length)
    return problemsOf(command).length > 0 ? commandStates.failed : commandStates[command.status];
  return { ...commandStates.failed, label: `${failed} of ${items.length} failed` };
}
