import type { Connection, Issue } from "@grove/schemas";
import { useState } from "react";
import { providerNames } from "../../components/providerNames";
import { Dialog } from "../../ui/dialog";
import { Field } from "../../ui/field";
import { Problem } from "../../ui/problem";
import { Select } from "../../ui/select";
import { Time } from "../../ui/time";
import { VisibleName } from "../../ui/visibleName";
import { PriorityIcon } from "../taskIcons";
import { filterIssues } from "./filterIssues";
import { useImportIssue } from "./useImportIssue";

/** The value of "All teams". */
const ALL = "";
const MAX_ISSUES = 50;

/** Imports an issue from a tracker as a task, and opens it. */
export function ImportIssueDialog({ trackers, onClose }: { trackers: Connection[]; onClose: () => void }) {
  const [trackerId, setTrackerId] = useState(trackers[0]?.id ?? "");
  const [teamId, setTeamId] = useState(ALL);
  const [text, setText] = useState("");
  const { teams, issues, importIssue } = useImportIssue({
    trackerId,
    teamId: teamId === ALL ? undefined : teamId,
    onImported: onClose,
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
              title: `${providerNames[provider]}: ${accountName}`,
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
      {issues.isPending && <p className="text-muted">Loading issues…</p>}
      {issues.data && matches.length === 0 && (
        <p className="text-muted">
          {issues.data.length === 0 ? "This tracker has no issues." : "No issue matches this search."}
        </p>
      )}
      {matches.length > 0 && (
        <IssueList
          issues={matches.slice(0, MAX_ISSUES)}
          importingId={importIssue.isPending ? importIssue.variables.id : undefined}
          onSelect={importIssue.mutate}
        />
      )}
      {matches.length > MAX_ISSUES && (
        <p className="text-muted text-sm">
          {matches.length - MAX_ISSUES} more. Narrow them down by team or search.
        </p>
      )}
    </Dialog>
  );
}

interface IssueListProps {
  issues: readonly Issue[];
  /** The issue that is being imported. */
  importingId: string | undefined;
  onSelect: (issue: Issue) => void;
}

const IssueList = ({ issues, importingId, onSelect }: IssueListProps) => (
  <ul aria-label="Issues" className="-mx-2 flex flex-col">
    {issues.map((issue) => (
      <li key={issue.id}>
        <button
          type="button"
          disabled={importingId !== undefined}
          aria-busy={issue.id === importingId}
          onClick={() => onSelect(issue)}
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
);
