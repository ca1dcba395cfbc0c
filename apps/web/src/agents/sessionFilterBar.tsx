import type { AgentSession, Device } from "@grove/schemas";
import { Select } from "../ui/select";
import { readFilter, type SessionFilter, stateNames } from "./sessionFilters";

interface FilterBarProps {
  filter: SessionFilter;
  /** All sessions, from which the agents to choose from are taken. */
  sessions: readonly AgentSession[];
  devices: readonly Device[];
  onChange: (filter: SessionFilter) => void;
}

/** Filters the sessions. The filter is kept in the URL. */
export function SessionFilterBar({ filter, sessions, devices, onChange }: FilterBarProps) {
  const { state = "", agent = "", device = "" } = filter;
  const agents = [...new Set([...sessions.map(({ agent }) => agent), ...(agent ? [agent] : [])])].sort();
  const change = (part: Record<string, string>) => onChange(readFilter({ ...filter, ...part }));
  return (
    <search aria-label="Filter" className="flex flex-wrap items-center gap-2">
      <Select
        label="State"
        hideLabel
        value={state}
        onChange={(value) => change({ state: value })}
        options={[
          { value: "", title: "Any state" },
          ...Object.entries(stateNames).map(([value, title]) => ({ value, title })),
        ]}
      />
      <Select
        label="Agent"
        hideLabel
        value={agent}
        onChange={(value) => change({ agent: value })}
        options={[{ value: "", title: "Any agent" }, ...agents.map((name) => ({ value: name, title: name }))]}
      />
      <Select
        label="Device"
        hideLabel
        value={device}
        onChange={(value) => change({ device: value })}
        options={[
          { value: "", title: "Any device" },
          ...devices.map(({ id, name }) => ({ value: id, title: name })),
        ]}
      />
    </search>
  );
}
