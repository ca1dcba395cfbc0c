import { MAX_WORKSPACES_PER_COMMAND } from "@grove/schemas";
import { Link } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { AgentField, AgentNotes, PromptField } from "../../components/agentFields";
import { useOrganization } from "../../hooks/useOrganization";
import { repositoryLabel } from "../../lib/repositoryLabel";
import { Button, buttonClass } from "../../ui/button";
import { Form, FormProblem } from "../../ui/form";
import { Note } from "../../ui/note";
import { Page } from "../../ui/page";
import { pluralize } from "../../ui/pluralize";
import { fieldError, Problem } from "../../ui/problem";
import { SearchSelect } from "../../ui/searchSelect";
import { Select } from "../../ui/select";
import { DraftFields } from "./draftFields";
import { type NewWorkspaces, NO_AGENT, useNewWorkspaces } from "./useNewWorkspaces";
import { type Draft, emptyDraft } from "./workspaceDraft";

export { CreationPage } from "./creationPage";

/** Starts work: creates workspaces, and starts an agent with a prompt in each. */
export function NewWorkspacesPage() {
  const { slug: organization } = useOrganization();
  const form = useNewWorkspaces();
  const { projects, devices, project, device, drafts, create } = form;
  if (projects.data?.length === 0) return <ProjectRequired organization={organization} />;
  if (devices.data?.length === 0) return <DeviceRequired organization={organization} />;
  const error = projects.error ?? devices.error;
  return (
    <Page title={drafts.length === 1 ? "New workspace" : "New workspaces"}>
      {error && (
        <Problem
          title="Could not load the projects and devices."
          error={error}
          onRetry={() => void Promise.all([projects.refetch(), devices.refetch()])}
        />
      )}
      <Form
        className="flex max-w-3xl flex-col gap-5"
        error={create.error}
        fields={drafts.flatMap(fieldNames)}
        onSubmit={form.submit}
      >
        <PromptField value={form.prompt} onChange={form.setPrompt} autoFocus />
        <TargetFields form={form} />
        {form.startsAgents && <AgentNotes device={device} />}
        {device?.status === "offline" && (
          <Note look="warn" title={`${device.name} is offline.`}>
            <p>
              The workspace is created when it is back online, within a day.
              {form.startsAgents && " Keep this tab open until then: it starts the agent."}
            </p>
          </Note>
        )}
        <DraftList form={form} />
        <FormProblem title="Could not create the workspaces." />
        <div className="flex gap-2">
          <Button type="submit" look="primary" busy={create.isPending || !project || !device}>
            Create {pluralize(drafts.length, "workspace")}
            {form.startsAgents && (drafts.length === 1 ? " and start agent" : " and start agents")}
          </Button>
          <Link to="/o/$organization/workspaces" params={{ organization }} className={buttonClass("quiet")}>
            Cancel
          </Link>
        </div>
      </Form>
    </Page>
  );
}

/** The paths under which the API reports errors about a workspace of the request. */
const fieldNames = (_: Draft, index: number): string[] =>
  ["name", "branchName", "existingBranch", "baseBranch"].map(
    (field) => `params.workspaces.${index}.${field}`,
  );

/** The fields that all workspaces share: the agent, the project and the device. */
const TargetFields = ({ form }: { form: NewWorkspaces }) => (
  <div className="grid gap-5 sm:grid-cols-3">
    <AgentField
      device={form.device}
      value={form.agent}
      onChange={form.setAgent}
      none={{ value: NO_AGENT, title: "No agent" }}
    />
    <SearchSelect
      label="Project"
      value={form.projectId}
      onChange={(project) => form.select({ project })}
      options={(form.projects.data ?? []).map((project) => ({
        value: project.id,
        title: project.name,
        note: repositoryLabel(project),
      }))}
    />
    <Select
      label="Device"
      value={form.deviceId}
      onChange={(device) => form.select({ device })}
      options={form.devicesByPresence.map(({ id, name, status }) => ({
        value: id,
        title: status === "online" ? name : `${name} (offline, starts later)`,
      }))}
    />
  </div>
);

/** The fields of each workspace, and a button that adds one. */
const DraftList = ({ form }: { form: NewWorkspaces }) => {
  const { drafts, project, projectId, device, create, editDrafts } = form;
  return (
    <details open={drafts.length > 1 || form.isRetry} className="flex flex-col gap-3">
      <summary className="min-h-8 w-fit cursor-pointer py-1 font-medium text-sm">
        Name, branch and base
      </summary>
      <ol className="flex flex-col gap-3">
        {drafts.map((draft, index) => (
          <DraftFields
            key={draft.key}
            draft={draft}
            title={drafts.length === 1 ? "Workspace" : `Workspace ${index + 1}`}
            device={device}
            projectId={projectId}
            defaultBranch={project?.defaultBranch ?? "main"}
            errorOf={(field) => fieldError(create.error, `params.workspaces.${index}.${field}`)}
            onChange={(changed) =>
              editDrafts((all) => all.map((each) => (each.key === changed.key ? changed : each)))
            }
            {...(drafts.length > 1 && {
              onRemove: () => editDrafts((all) => all.filter(({ key }) => key !== draft.key)),
            })}
          />
        ))}
      </ol>
      {drafts.length < MAX_WORKSPACES_PER_COMMAND && (
        <div>
          <Button look="quiet" onClick={() => editDrafts((all) => [...all, emptyDraft()])}>
            <Plus aria-hidden="true" className="size-4" />
            Add another
          </Button>
        </div>
      )}
    </details>
  );
};

const ProjectRequired = ({ organization }: { organization: string }) => (
  <Page title="New workspace">
    <Note title="Add a project first">
      <p>A workspace is a branch of a project. This organization has no projects yet.</p>
      <Link
        to="/o/$organization/projects/new"
        params={{ organization }}
        className={`mt-2 ${buttonClass("primary")}`}
      >
        Add a project
      </Link>
    </Note>
  </Page>
);

const DeviceRequired = ({ organization }: { organization: string }) => (
  <Page title="New workspace">
    <Note title="Add a device first">
      <p>Workspaces are directories on a machine. No machine is connected yet.</p>
      <Link
        to="/o/$organization/devices/add"
        params={{ organization }}
        className={`mt-2 ${buttonClass("primary")}`}
      >
        Add a device
      </Link>
    </Note>
  </Page>
);
