import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { X } from "lucide-react";
import { commandStates } from "../../components/commandStates";
import { useOrganization } from "../../hooks/useOrganization";
import { commandQuery } from "../../lib/commands/commandQuery";
import { isOpenStatus } from "../../lib/commands/isOpenStatus";
import { IconButton } from "../../ui/button";
import { pluralize } from "../../ui/pluralize";
import { Progress } from "../../ui/progress";
import { StateLabel } from "../../ui/stateLabel";
import { dismissCreation, useTrackedCreations } from "../workspaceCommands";
import { problemsOf, progressOf, requestsOf } from "./workspaceCreation";

/** Creations in progress, and failed ones until the user dismisses them. */
export function PendingCreations() {
  const { id: organizationId } = useOrganization();
  const ids = useTrackedCreations(organizationId);
  if (ids.length === 0) return null;
  return (
    <ul aria-label="Workspaces being created" className="mb-4 flex flex-col gap-2 empty:mb-0">
      {ids.map((id) => (
        <Creation key={id} id={id} />
      ))}
    </ul>
  );
}

function Creation({ id }: { id: string }) {
  const { id: organizationId, slug: organization } = useOrganization();
  const { data: command } = useQuery(commandQuery(organizationId, id));
  if (!command) return null;
  const problems = problemsOf(command);
  const open = isOpenStatus(command.status);
  if (!open && problems.length === 0) return null;
  const { message, fraction } = progressOf(command);
  return (
    <li className="flex items-center gap-4 rounded-lg border border-line bg-raised py-2 pr-2 pl-4">
      <div className="flex min-w-0 flex-1 flex-col gap-1.5">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <StateLabel state={open ? commandStates[command.status] : commandStates.failed} />
          <Link
            to="/o/$organization/workspaces/creating/$commandId"
            params={{ organization, commandId: id }}
            className="font-medium hover:underline"
          >
            {pluralize(requestsOf(command).length, "workspace")}
          </Link>
          <span className="wrap-anywhere min-w-0 text-muted">{open ? message : problems[0]}</span>
        </div>
        {open && <Progress label="Progress" fraction={command.status === "running" ? fraction : 0} />}
      </div>
      {!open && (
        <IconButton label="Dismiss" onClick={() => dismissCreation(organizationId, id)}>
          <X aria-hidden="true" className="size-4" />
        </IconButton>
      )}
    </li>
  );
}
