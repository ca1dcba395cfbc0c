import type { Device, Project } from "@grove/schemas";
import { useNavigate } from "@tanstack/react-router";
import { useOrganization } from "../hooks/useOrganization";
import { Select } from "../ui/select";
import type { WorkspaceFilter } from "./useWorkspaceRows";

interface WorkspaceFilterBarProps {
  filter: WorkspaceFilter;
  projects: readonly Project[];
  devices: readonly Device[];
}

/** Filters the list by project and device. The filter is in the URL. */
export function WorkspaceFilterBar({ filter, projects, devices }: WorkspaceFilterBarProps) {
  const { slug: organization } = useOrganization();
  const navigate = useNavigate();
  const setFilter = (change: WorkspaceFilter) => {
    const { project, device } = { ...filter, ...change };
    return navigate({
      to: "/o/$organization/workspaces",
      params: { organization },
      search: { ...(project && { project }), ...(device && { device }) },
      replace: true,
    });
  };
  return (
    <div className="mb-3 grid max-w-md grid-cols-2 gap-2">
      <Select
        hideLabel
        label="Project"
        value={filter.project ?? ""}
        onChange={(project) => void setFilter({ project })}
        options={[
          { value: "", title: "All projects" },
          ...projects.map(({ id, name }) => ({ value: id, title: name })),
        ]}
      />
      <Select
        hideLabel
        label="Device"
        value={filter.device ?? ""}
        onChange={(device) => void setFilter({ device })}
        options={[
          { value: "", title: "All devices" },
          ...devices.map(({ id, name }) => ({ value: id, title: name })),
        ]}
      />
    </div>
  );
}
