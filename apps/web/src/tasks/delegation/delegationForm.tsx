import type { Task } from "@grove/schemas";
import { AgentField, AgentNotes, PromptField } from "../../components/agentFields";
import { Button } from "../../ui/button";
import { Dialog, DialogButtons } from "../../ui/dialog";
import { Field } from "../../ui/field";
import { Form } from "../../ui/form";
import { Note } from "../../ui/note";
import { Select } from "../../ui/select";
import { type DelegationFormState, useDelegationForm } from "./useDelegationForm";

/** The value of "A new one". */
const NEW = "";

/** Hands a task over to an agent: asks for the machine, the branch and the prompt. */
export function DelegationForm({ task, onClose }: { task: Task; onClose: () => void }) {
  const form = useDelegationForm(task, onClose);
  const { workspace, device, missingItem } = form;
  return (
    <Dialog title="Hand over to an agent" open onOpenChange={(open) => !open && onClose()} keepOpen>
      <Form onSubmit={form.submit}>
        <TargetFields form={form} />
        {missingItem && <Note look="warn" title={`First add ${missingItem}.`} />}
        {device?.status === "offline" && (
          <Note look="warn" title={`${device.name} is offline.`}>
            <p>
              The work starts when it is back online.
              {!workspace &&
                " Keep this tab open until then: it starts the agent once the workspace is ready."}
            </p>
          </Note>
        )}
        <AgentNotes device={device} />
        <PromptField value={form.prompt} onChange={form.setPrompt} required />
        <DialogButtons>
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" look="primary" disabled={!form.isReady}>
            Hand over
          </Button>
        </DialogButtons>
      </Form>
    </Dialog>
  );
}

/**
 * Fields for the place where the agent works: a workspace that has the task's branch checked out, or a new one on a
 * device.
 */
function TargetFields({ form }: { form: DelegationFormState }) {
  const { branchWorkspaces, workspace, device } = form;
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Select
        label="Project"
        value={form.projectId}
        onChange={form.selectProject}
        options={form.projects.map(({ id, name }) => ({ value: id, title: name }))}
      />
      {branchWorkspaces.length > 0 && (
        <Select
          label="Workspace"
          value={workspace?.id ?? NEW}
          onChange={form.selectWorkspace}
          options={[
            ...branchWorkspaces.map(({ id, name }) => ({ value: id, title: name })),
            { value: NEW, title: "New workspace" },
          ]}
        />
      )}
      {!workspace && (
        <Select
          label="Device"
          value={device?.id ?? ""}
          onChange={form.selectDevice}
          options={form.devicesByPresence.map(({ id, name, status }) => ({
            value: id,
            title: status === "online" ? name : `${name} (offline, starts later)`,
          }))}
        />
      )}
      {!workspace && (
        <Field
          label="Branch"
          value={form.branch}
          onChange={({ target }) => form.setBranch(target.value)}
          maxLength={200}
          required
        />
      )}
      <AgentField device={device} value={form.agent} onChange={form.setAgent} />
    </div>
  );
}
