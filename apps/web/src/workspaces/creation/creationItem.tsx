import type { Command } from "@grove/schemas";
import { Link } from "@tanstack/react-router";
import { CircleCheck, CircleX, Clock, LoaderCircle } from "lucide-react";
import { useOrganization } from "../../hooks/useOrganization";
import { isOpenStatus } from "../../lib/commands/isOpenStatus";
import { buttonClass } from "../../ui/button";
import { Problem } from "../../ui/problem";
import { StateLabel } from "../../ui/stateLabel";
import { VisibleName } from "../../ui/visibleName";
import { type AgentStart, startAgent, useAgentStarts } from "./agentStarts";
import type { Item } from "./workspaceCreation";

const itemStates = {
  made: { icon: CircleCheck, tone: "good", label: "Created" },
  found: { icon: CircleCheck, tone: "good", label: "Already existed" },
  failed: { icon: CircleX, tone: "bad", label: "Failed" },
  open: { icon: LoaderCircle, tone: "calm", label: "Not created yet" },
  none: { icon: Clock, tone: "calm", label: "Not created" },
} as const;

function stateOfItem({ made }: Item, open: boolean) {
  if (!made) return open ? itemStates.open : itemStates.none;
  if (made.error) return itemStates.failed;
  return made.alreadyExisted ? itemStates.found : itemStates.made;
}

/** The agent that this tab starts in a workspace. */
function AgentStartState({ start, name }: { start: AgentStart | undefined; name: string }) {
  const { slug: organization } = useOrganization();
  if (start?.sessionId !== undefined)
    return (
      <Link
        to="/o/$organization/agents/$sessionId"
        params={{ organization, sessionId: start.sessionId }}
        className={buttonClass("primary")}
      >
        Open terminal<span className="sr-only"> of {name}</span>
      </Link>
    );
  if (start?.error)
    return (
      <Problem
        title="Could not start the agent."
        error={start.error}
        onRetry={() => void startAgent(start)}
      />
    );
  return <span className="py-1.5 text-muted text-sm">Starting agent…</span>;
}

/** A requested workspace: its state, and what can be done next. */
export function CreationItem({ item, command }: { item: Item; command: Command }) {
  const { slug: organization } = useOrganization();
  const { made, name, request } = item;
  const { projectId } = command.params;
  const open = isOpenStatus(command.status);
  const starts = useAgentStarts(command.id);
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
          <StateLabel state={stateOfItem(item, open)} />
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
      {made?.id && starts && (
        <AgentStartState start={starts.find(({ workspaceId }) => workspaceId === made.id)} name={name} />
      )}
      {made?.id && !starts && (
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
