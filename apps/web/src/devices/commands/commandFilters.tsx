import { commandStates } from "../../components/commandStates";
import { Checkbox } from "../../ui/checkbox";
import { Select } from "../../ui/select";
import { type DeviceSearchParams, isCommandStatus } from "../searchParams";
import { toolOptions } from "./commandLabels";

const stateOptions = [
  { value: "", title: "Any state" },
  ...Object.entries(commandStates).map(([value, { label }]) => ({ value, title: label })),
];

const commandOptions = [{ value: "", title: "All commands" }, ...toolOptions];

interface CommandFiltersProps {
  search: DeviceSearchParams;
  onChange: (change: DeviceSearchParams) => void;
}

export const CommandFilters = ({ search, onChange }: CommandFiltersProps) => (
  <div className="flex flex-wrap items-center gap-x-6 gap-y-3 py-3">
    <Select
      label="State"
      hideLabel
      value={search.state ?? ""}
      options={stateOptions}
      onChange={(value) => onChange({ state: isCommandStatus(value) ? value : undefined })}
    />
    <Select
      label="Command"
      hideLabel
      value={search.tool ?? ""}
      options={commandOptions}
      onChange={(value) => onChange({ tool: value === "" ? undefined : value })}
    />
    <Checkbox
      label="Only mine"
      checked={search.mine === true}
      onChange={(checked) => onChange({ mine: checked || undefined })}
    >
      Requested by you or with one of your API keys.
    </Checkbox>
    <Checkbox
      label="Show read-only commands and keystrokes"
      checked={search.quiet === true}
      onChange={(checked) => onChange({ quiet: checked || undefined })}
    >
      Hidden by default, because there are many of them.
    </Checkbox>
  </div>
);
