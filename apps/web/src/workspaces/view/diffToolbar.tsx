import { shortCommit, type WorkspaceDiff } from "@grove/schemas";
import { useNavigate } from "@tanstack/react-router";
import { Eye, MessageSquarePlus, RefreshCw } from "lucide-react";
import type { ReactNode } from "react";
import type { DiffSettings } from "../../diff/diffSettings";
import { IconButton } from "../../ui/button";
import { pluralize } from "../../ui/pluralize";
import { Select } from "../../ui/select";
import type { WorkspaceSearch } from "../workspaceSearch";
import { isPoint, scopes } from "./diffScopes";

interface DiffToolbarProps {
  diff: WorkspaceDiff;
  /** Which changes are shown. */
  scope: string;
  ignoreWhitespace: boolean;
  settings: DiffSettings;
  onSettings: (change: Partial<DiffSettings>) => void;
  /** Reads the changes again. */
  onRefresh: () => void;
  /** Begins a comment on the whole change. */
  onComment: () => void;
  /** Marks the shown version as seen. Undefined if the change has no place for a mark. */
  onMarkSeen: (() => void) | undefined;
  restorePoints: ReactNode;
}

/** The summary of the changes, and the settings of the comparison. */
export function DiffToolbar({
  diff,
  scope,
  ignoreWhitespace,
  settings,
  restorePoints,
  ...on
}: DiffToolbarProps) {
  const { onSettings, onRefresh, onComment, onMarkSeen } = on;
  const navigate = useNavigate({ from: "/o/$organization/workspaces/$workspaceId" });
  const { from, files, filesTotal, insertions, deletions, untracked } = diff;
  // In a narrower choice, the untracked files may have been there before.
  const countsUntracked = scope === "base" || scope === "head";
  const compare = (other: string, ignoresSpace: boolean) =>
    void navigate({
      to: ".",
      search: ({ against: _against, space: _space, ...others }: WorkspaceSearch) => ({
        ...others,
        ...(other !== "base" && { against: other }),
        ...(ignoresSpace && { space: "ignore" }),
      }),
      replace: true,
    });
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-line border-b px-4 py-2 text-sm sm:px-6">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span className="font-medium">{pluralize(filesTotal, "file")}</span>
        <span className="font-mono text-accent">+{insertions}</span>
        <span className="font-mono text-danger">−{deletions}</span>
        {countsUntracked && untracked > 0 && <span className="text-muted">{untracked} untracked</span>}
        {filesTotal > files.length && <span className="text-warn">showing the first {files.length}</span>}
        {from && (
          <span className="text-muted">
            since <code className="font-mono">{shortCommit(from)}</code>
          </span>
        )}
      </p>
      <div className="ml-auto flex flex-wrap items-center gap-x-4 gap-y-2">
        <Select
          label="Show"
          hideLabel
          value={scope}
          onChange={(value) => compare(value, ignoreWhitespace)}
          options={[...scopes, ...(isPoint(scope) ? [{ value: scope, title: "Since a restore point" }] : [])]}
        />
        <Choice
          isOn={settings.layout === "split"}
          onChange={(isOn) => onSettings({ layout: isOn ? "split" : "unified" })}
        >
          Side by side
        </Choice>
        <Choice isOn={settings.wrap} onChange={(wrap) => onSettings({ wrap })}>
          Wrap
        </Choice>
        <Choice isOn={ignoreWhitespace} onChange={(isOn) => compare(scope, isOn)}>
          Ignore whitespace
        </Choice>
        <span className="flex items-center">
          <IconButton label="Comment on the change" onClick={onComment}>
            <MessageSquarePlus aria-hidden="true" className="size-4" />
          </IconButton>
          {onMarkSeen && (
            <IconButton label="Mark as seen" onClick={onMarkSeen}>
              <Eye aria-hidden="true" className="size-4" />
            </IconButton>
          )}
          {restorePoints}
          <IconButton label="Refresh the changes" onClick={onRefresh}>
            <RefreshCw aria-hidden="true" className="size-4" />
          </IconButton>
        </span>
      </div>
    </div>
  );
}

const Choice = ({
  isOn,
  onChange,
  children,
}: {
  isOn: boolean;
  onChange: (isOn: boolean) => void;
  children: ReactNode;
}) => (
  <label className="flex min-h-6 cursor-pointer items-center gap-1.5">
    <input type="checkbox" checked={isOn} onChange={(event) => onChange(event.target.checked)} />
    {children}
  </label>
);
