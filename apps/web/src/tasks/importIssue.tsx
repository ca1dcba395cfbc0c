import type { Connection, Issue } from "@grove/schemas";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useOrganization } from "../hooks/useOrganization";
import { client, queries } from "../lib/api";
import { applyTaskChange } from "../live/applyTaskChange";
import { Dialog } from "../ui/dialog";
import { Field } from "../ui/field";
import { Problem } from "../ui/problem";
import { Select } from "../ui/select";
import { Time } from "../ui/time";
import { VisibleName } from "../ui/visibleName";
import { providers } from "./displayNames";
import { filterIssues } from "./filterIssues";
import { PriorityIcon } from "./taskIcons";

const ALL = "";

/** Imports an issue from a tracker as a task, and opens it. */
export function ImportIssue({ trackers, onClose }: { trackers: Connection[]; onClose: () => void }) {
  const { id: organizationId, slug: organization } = useOrganization();
  const navigate = useNavigate();
  const [trackerId, setTrackerId] = useState(trackers[0]?.id ?? "");
  const [teamId, setTeamId] = useState(ALL);
  const [text, setText] = useState("");
  const connection = { organizationId, connectionId: trackerId };
  const teams = useQuery(queries.integration.tracker.listTeams.queryOptions(connection, trackerQueryOptions));
  const issues = useQuery(
    queries.integration.tracker.listIssues.queryOptions(
      { ...connection, ...(teamId !== ALL && { teamId }) },
      trackerQueryOptions,
    ),
  );
  const importIssue = useMutation({
    mutationFn: ({ id }: Issue) =>
      client.integration.tracker.importIssue.mutate({ ...connection, issueId: id }),
    onSuccess: (task) => {
      applyTaskChange(organizationId, { type: "created", task });
      onClose();
      void navigate({ to: "/o/$organization/tasks/$task", params: { organization, task: task.slug } });
    },
  });
  const matches = filterIssues(issues.data ?? [], text);
  const error = issues.error ?? teams.error;
  return (
    <Dialog title="Import an issue" open onOpenChange={(open) => !open && onClose()}>
      <div className="grid gap-3 sm:grid-cols-2">
        {trackers.length > 1 && (
          <Select
            label="Tracker"
            value={trackerId}
            onChange={(id) => {
              setTrackerId(id);
              setTeamId(ALL);
            }}
            options={trackers.map(({ id, provider, accountName }) => ({
              value: id,
              title: `${providers[provider]}: ${accountName}`,
            }))}
          />
        )}
        <Select
          label="Team"
          value={teamId}
          onChange={setTeamId}
          options={[
            { value: ALL, title: "All teams" },
            ...(teams.data ?? []).map(({ id, key, name }) => ({ value: id, title: `${name} (${key})` })),
          ]}
        />
        <Field
          label="Search"
          type="search"
          autoComplete="off"
          maxLength={200}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      </div>
      {error && (
        <Problem
          title="Could not load the tracker's issues."
          error={error}
          onRetry={() => void Promise.all([teams.refetch(), issues.refetch()])}
        />
      )}
      {importIssue.error && <Problem title="Could not import the issue." error={importIssue.error} />}
      {issues.isPending && <p className="text-muted">Loading issues …</p>}
      {issues.data && matches.length === 0 && (
        <p className="text-muted">
          {issues.data.length === 0 ? "This tracker has no issues." : "No issue matches this search."}
        </p>
      )}
      {matches.length > 0 && (
        <ul aria-label="Issues" className="-mx-2 flex flex-col">
          {matches.slice(0, SHOWN).map((issue) => (
            <li key={issue.id}>
              <button
                type="button"
                disabled={importIssue.isPending}
                aria-busy={importIssue.isPending && importIssue.variables.id === issue.id}
                onClick={() => importIssue.mutate(issue)}
                className="flex w-full cursor-pointer items-center gap-2.5 rounded-md px-2 py-1.5 text-left text-sm hover:bg-hover disabled:cursor-default disabled:opacity-55"
              >
                <PriorityIcon priority={issue.priority} />
                <span className="shrink-0 font-mono text-muted text-xs">{issue.key}</span>
                <VisibleName className="min-w-0 flex-1 truncate">{issue.title}</VisibleName>
                <span className="shrink-0 text-muted text-xs">
                  <VisibleName>{issue.state}</VisibleName> · <Time at={issue.updatedAt} />
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {matches.length > SHOWN && (
        <p className="text-muted text-sm">
          {matches.length - SHOWN} more. Narrow them down by team or search.
        </p>
      )}
    </Dialog>
  );
}

const SHOWN = 50;

/** Trackers limit the rate of requests, so issues are loaded when the dialog opens and not on every focus. */
const trackerQueryOptions = { staleTime: 60_000, retry: false };
