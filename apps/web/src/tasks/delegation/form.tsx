import type { Task } from "@grove/schemas";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { AgentField, AgentNotes, PromptField } from "../../components/agentFields";
import { useOrganization } from "../../hooks/useOrganization";
import { queries } from "../../lib/api";
import { Button } from "../../ui/button";
import { Dialog, DialogButtons } from "../../ui/dialog";
import { Field } from "../../ui/field";
import { Note } from "../../ui/note";
import { Select } from "../../ui/select";
import { defaultPrompt } from "./defaultPrompt";
import { runDelegation } from "./run";
import { newDelegation } from "./state";

const NEW = "";

/** Hands a task over to an agent: asks for the machine, the branch and the prompt. */
export function DelegationForm({ task, onClose }: { task: Task; onClose: () => void }) {
  const { id: organizationId } = useOrganization();
  const projects = useQuery(queries.project.list.queryOptions({ organizationId })).data ?? [];
  const devices = useQuery(queries.device.list.queryOptions({ organizationId }));
  const workspaces = useQuery(queries.workspace.list.queryOptions({ organizationId })).data ?? [];
  const [picked, setPicked] = useState<{ project?: string; device?: string; place?: string }>({});
  const [branch, setBranch] = useState(task.branch ?? task.slug);
  const [agent, setAgent] = useState("");
  const [prompt, setPrompt] = useState(() => defaultPrompt(task));
  const projectId = picked.project ?? task.projectId ?? projects[0]?.id ?? "";
  // Prefers a workspace that already has the task's branch checked out.
  const places = workspaces.filter(
    ({ projectId: of, config, deviceId }) =>
      of === projectId && deviceId !== null && task.branch !== null && config.branchName === task.branch,
  );
  const place = places.find(({ id }) => id === (picked.place ?? places[0]?.id));
  const byPresence = (devices.data ?? []).toSorted((a, b) => b.status.localeCompare(a.status));
  const deviceId = place?.deviceId ?? picked.device ?? byPresence[0]?.id;
  const device = byPresence.find(({ id }) => id === deviceId);
  const missing = projects.length === 0 ? "a project" : "a machine";
  const isReady = device !== undefined && projectId !== "";
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!isReady) return;
    const order = {
      ...{ taskId: task.id, organizationId, projectId, agent, prompt },
      device: { id: device.id, name: device.name },
      workspaceId: place?.id,
      request: { name: task.title.slice(0, 200), branchName: branch.trim() },
    };
    void runDelegation(newDelegation(order));
    onClose();
  };
  return (
    <Dialog title="Hand over to an agent" open onOpenChange={(open) => !open && onClose()} keepOpen>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <div className="grid gap-4 sm:grid-cols-2">
          <Select
            label="Project"
            value={projectId}
            onChange={(project) => setPicked({ ...picked, project })}
            options={projects.map(({ id, name }) => ({ value: id, title: name }))}
          />
          {places.length > 0 && (
            <Select
              label="Workspace"
              value={place?.id ?? NEW}
              onChange={(id) => setPicked({ ...picked, place: id })}
              options={[
                ...places.map(({ id, name }) => ({ value: id, title: name })),
                { value: NEW, title: "A new one" },
              ]}
            />
          )}
          {!place && (
            <Select
              label="Device"
              value={deviceId ?? ""}
              onChange={(id) => {
                setPicked({ ...picked, device: id });
                setAgent("");
              }}
              options={byPresence.map(({ id, name, status }) => ({
                value: id,
                title: status === "online" ? name : `${name} (offline, will wait)`,
              }))}
            />
          )}
          {!place && (
            <Field
              label="Branch"
              value={branch}
              onChange={({ target }) => setBranch(target.value)}
              maxLength={200}
              required
            />
          )}
          <AgentField device={device} value={agent} onChange={setAgent} />
        </div>
        {devices.data && !isReady && <Note look="warn" title={`First add ${missing}.`} />}
        {device?.status === "offline" && (
          <Note look="warn" title={`${device.name} is offline.`}>
            <p>
              The work starts when it is back online.
              {!place && " Keep this tab open until then: it starts the agent once the workspace is ready."}
            </p>
          </Note>
        )}
        <AgentNotes device={device} />
        <PromptField value={prompt} onChange={setPrompt} />
        <DialogButtons>
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" look="primary" disabled={!isReady}>
            Hand it over
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
