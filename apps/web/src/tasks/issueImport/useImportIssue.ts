import type { Issue } from "@grove/schemas";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useOrganization } from "../../hooks/useOrganization";
import { client, queries } from "../../lib/api";
import { applyTaskChange } from "../../live/applyTaskChange";

/** Trackers limit the rate of requests, so issues are loaded when the dialog opens and not on every focus. */
const trackerQueryOptions = { staleTime: 60_000, retry: false };

interface ImportOptions {
  trackerId: string;
  /** Undefined for the issues of all teams. */
  teamId: string | undefined;
  onImported: () => void;
}

/** Loads a tracker's teams and issues, and imports an issue as a task, which it then opens. */
export function useImportIssue({ trackerId, teamId, onImported }: ImportOptions) {
  const { id: organizationId, slug: organization } = useOrganization();
  const navigate = useNavigate();
  const connection = { organizationId, connectionId: trackerId };
  const teams = useQuery(queries.integration.tracker.listTeams.queryOptions(connection, trackerQueryOptions));
  const issues = useQuery(
    queries.integration.tracker.listIssues.queryOptions(
      { ...connection, ...(teamId !== undefined && { teamId }) },
      trackerQueryOptions,
    ),
  );
  const importIssue = useMutation({
    mutationFn: ({ id }: Issue) =>
      client.integration.tracker.importIssue.mutate({ ...connection, issueId: id }),
    onSuccess: (task) => {
      applyTaskChange(organizationId, { type: "created", task });
      onImported();
      void navigate({ to: "/o/$organization/tasks/$task", params: { organization, task: task.slug } });
    },
  });
  return { teams, issues, importIssue };
}
