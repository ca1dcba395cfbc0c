import { useMutation, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { CircleCheck, CircleX, Clock, LoaderCircle } from "lucide-react";
import { useEffect } from "react";
import { useOrganization } from "../hooks/useOrganization";
import { queries, queryClient } from "../lib/api";
import { Button, buttonClass } from "../ui/button";
import { Page } from "../ui/page";
import { Problem } from "../ui/problem";
import { Progress } from "../ui/progress";
import { Skeleton } from "../ui/skeleton";
import { type Look, State } from "../ui/state";
import { useReleaseFocus } from "../ui/useReleaseFocus";
import { VisibleName } from "../ui/visibleName";
import { type Command, useCommand } from "./commands";
import { type Item, itemsOf, problemsOf, progressOf } from "./creation";
import { commandStates, isOpen } from "./stateLabels";

const route = getRouteApi("/signed-in/o/$organization/workspaces/making/$commandId");

/** The creation of workspaces: live progress, then the result of each. */
export function CreationPage() {
  const { id: organizationId, slug: organization } = useOrganization();
  const { commandId } = route.useParams();
  const command = useCommand(organizationId, commandId);
  const isSettled = command.data !== undefined && !isOpen(command.data.status);
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
          title="Could not load this creation."
          error={command.error}
          onRetry={() => void command.refetch()}
        />
      )}
      {command.isPending && <Skeleton />}
      {command.data && <Creation command={command.data} />}
    </Page>
  );
}

function Creation({ command }: { command: Command }) {
  const { id: organizationId } = useOrganization();
  const devices = useQuery(queries.device.list.queryOptions({ organizationId }));
  const cancel = useMutation(queries.agent.cancelCommand.mutationOptions());
  const device = devices.data?.find(({ id }) => id === command.deviceId);
  const open = isOpen(command.status);
  const { message, fraction } = progressOf(command);
  return (
    <div className="max-w-3xl">
      <div className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1" role="status">
        <State look={lookOfAll(command)} />
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
          <ItemLine key={index} item={item} command={command} />
        ))}
      </ul>
    </div>
  );
}

/** Unmounts when the command ends, so it hands its focus on. */
const Cancel = (props: { busy: boolean; onClick: () => void }) => (
  <span className="ml-auto">
    <Button ref={useReleaseFocus()} {...props}>
      Cancel
    </Button>
  </span>
);

/** Returns the state of the whole command, with the number of failed workspaces. */
function lookOfAll(command: Command): Look {
  const items = itemsOf(command);
  const failed = items.filter(({ made }) => made?.error).length;
  if (failed === 0 || failed === items.length)
    return problemsOf(command).length > 0 ? commandStates.failed : commandStates[command.status];
  return { ...commandStates.failed, words: `${failed} of ${items.length} failed` };
}

const looks = {
  made: { icon: CircleCheck, tone: "good", words: "Created" },
  found: { icon: CircleCheck, tone: "good", words: "Already existed" },
  failed: { icon: CircleX, tone: "bad", words: "Failed" },
  open: { icon: LoaderCircle, tone: "calm", words: "Not created yet" },
  none: { icon: Clock, tone: "calm", words: "Not created" },
} as const;

function lookOf({ made }: Item, open: boolean) {
  if (!made) return open ? looks.open : looks.none;
  if (made.error) return looks.failed;
  return made.alreadyExisted ? looks.found : looks.made;
}

function ItemLine({ item, command }: { item: Item; command: Command }) {
  const { slug: organization } = useOrganization();
  const { made, name, request } = item;
  const { projectId } = command.params;
  const open = isOpen(command.status);
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-1 py-3">
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-3">
          <span className="wrap-anywhere font-medium">
            {made?.id ? (
              <Link
                to="/o/$organization/workspaces/$workspaceId"
                params={{ organization, workspaceId: made.id }}
                className="hover:underline"
              >
                <VisibleName>{name}</VisibleName>
              </Link>
            ) : (
              <VisibleName>{name}</VisibleName>
            )}
          </span>
          <State look={lookOf(item, open)} />
        </div>
        {made?.branch && (
          <VisibleName className="wrap-anywhere font-mono text-muted text-sm">{made.branch}</VisibleName>
        )}
        {made?.error && <p className="wrap-anywhere text-danger">{made.error.message}</p>}
        {made?.warnings?.map((warning) => (
          <p key={warning} className="wrap-anywhere text-warn">
            {warning}
          </p>
        ))}
      </div>
      {made?.id && (
        <Link
          to="/o/$organization/agents/new"
          params={{ organization }}
          search={{ workspace: made.id }}
          className={buttonClass()}
        >
          Start an agent<span className="sr-only"> in {name}</span>
        </Link>
      )}
      {!made?.id && !open && (
        <Link
          to="/o/$organization/workspaces/new"
          params={{ organization }}
          search={{
            ...(typeof projectId === "string" && { project: projectId }),
            device: command.deviceId,
            request,
          }}
          className={buttonClass()}
        >
          Try again<span className="sr-only"> with {name}</span>
        </Link>
      )}
    </li>
  );
}
