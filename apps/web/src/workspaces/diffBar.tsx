import type { WorkspaceDiff } from "@grove/schemas";
import { useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Settings } from "../diff/settings";
import { Select } from "../ui/select";
import { pluralize } from "./pluralize";

interface DiffBarProps {
  diff: WorkspaceDiff;
  against: "base" | "head";
  ignoreWhitespace: boolean;
  settings: Settings;
  onSettings: (change: Partial<Settings>) => void;
}

/** The summary of the changes, and the settings of the comparison. */
export function DiffBar({ diff, against, ignoreWhitespace, settings, onSettings }: DiffBarProps) {
  const navigate = useNavigate({ from: "/o/$organization/workspaces/$workspaceId/diff" });
  const { base, from, files, filesTotal, insertions, deletions, untracked } = diff;
  const compare = (search: { against?: "head"; space?: "ignore" }) =>
    void navigate({ to: ".", search, replace: true });
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-line border-b px-4 py-2 text-sm sm:px-6">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span className="font-medium">{pluralize(filesTotal, "file")}</span>
        <span className="font-mono text-accent">+{insertions}</span>
        <span className="font-mono text-danger">−{deletions}</span>
        {untracked > 0 && <span className="text-muted">{untracked} untracked</span>}
        {filesTotal > files.length && <span className="text-warn">showing the first {files.length}</span>}
        {from && (
          <span className="text-muted">
            since <code className="font-mono">{from.slice(0, 8)}</code>
          </span>
        )}
      </p>
      <div className="ml-auto flex flex-wrap items-center gap-x-4 gap-y-2">
        <Select
          label="Compare with"
          hideLabel
          value={against}
          onChange={(value) =>
            compare({
              ...(value === "head" && { against: "head" }),
              ...(ignoreWhitespace && { space: "ignore" }),
            })
          }
          options={[
            { value: "base", title: `Against ${base}` },
            { value: "head", title: "Against the last commit" },
          ]}
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
        <Choice
          isOn={ignoreWhitespace}
          onChange={(isOn) =>
            compare({ ...(against === "head" && { against }), ...(isOn && { space: "ignore" }) })
          }
        >
          Ignore whitespace
        </Choice>
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
