import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useOrganization } from "../hooks/useOrganization";
import { queries } from "../lib/api";
import { Select } from "../ui/select";
import { AddedProjectNotes } from "./addedProjectNotes";
import { CommandLineHint } from "./commandLineHint";
import { NewProjectForm } from "./newProjectForm";
import { useAddProject } from "./useAddProject";
import { useOwnDevices } from "./useOwnDevices";

/** Adds a project by the URL of its repository, or by its path on the user's own machine. */
export function NewProject() {
  const { id: organizationId } = useOrganization();
  const projects = useQuery(queries.project.list.queryOptions({ organizationId })).data;
  const devices = useOwnDevices();
  const [deviceId, setDeviceId] = useState("");
  const device = devices.find(({ id }) => id === deviceId) ?? devices[0];
  const add = useAddProject(device);
  return (
    <>
      {projects && (
        <AddedProjectNotes projects={projects} isAdding={add.byUrl.isPending || add.byPath.isPending} />
      )}
      <NewProjectForm add={add} device={device} projects={projects}>
        {devices.length > 1 && (
          <Select
            label="Machine"
            value={device?.id ?? ""}
            onChange={setDeviceId}
            options={devices.map(({ id, name }) => ({ value: id, title: name }))}
          />
        )}
      </NewProjectForm>
      <CommandLineHint device={device} />
    </>
  );
}
