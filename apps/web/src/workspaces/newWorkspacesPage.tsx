import { useMutation, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useOrganization } from "../hooks/useOrganization";
import { queries } from "../lib/api";
import { newId } from "../lib/newId";
import { Button, buttonClass } from "../ui/button";
import { Note } from "../ui/note";
import { Page } from "../ui/page";
import { fieldError, Problem } from "../ui/problem";
import { Select } from "../ui/select";
import { trackCreation } from "./commands";
import { DraftFields } from "./draftFields";
import { pluralize } from "./pluralize";
import { type Draft, draftOf, emptyDraft, requestOf } from "./workspaceDraft";

const route = getRouteApi("/signed-in/o/$organization/workspaces/new");
/** The API's limit of workspaces per command. */
const MAX_WORKSPACES = 5;

export function NewWorkspacesPage() {
  const { id: organizationId, slug: organization } = useOrganization();
  const chosen = route.useSearch();
  const navigate = useNavigate();
  const projects = useQuery(queries.project.list.queryOptions({ organizationId }));
  const devices = useQuery(queries.device.list.queryOptions({ organizationId }));
  const [drafts, setDrafts] = useState<Draft[]>(() => [draftOf(chosen.request ?? {})]);
  const [picked, setPicked] = useState<{ project?: string; device?: string }>({});
  // One key per submission, so that a double click or a retry after a lost response creates nothing twice.
  const [idempotencyKey, setIdempotencyKey] = useState(() => newId());
  const byPresence = (devices.data ?? []).toSorted((a, b) => b.status.localeCompare(a.status));
  const projectId = picked.project ?? chosen.project ?? projects.data?.[0]?.id ?? "";
  const deviceId = picked.device ?? chosen.device ?? byPresence[0]?.id ?? "";
  const project = projects.data?.find(({ id }) => id === projectId);
  const device = devices.data?.find(({ id }) => id === deviceId);
  const create = useMutation(
    queries.agent.execute.mutationOptions({
      onSuccess: async ({ id: commandId }) => {
        trackCreation(organizationId, commandId);
        await navigate({
          to: "/o/$organization/workspaces/making/$commandId",
          params: { organization, commandId },
        });
      },
    }),
  );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    create.mutate({
      organizationId,
      deviceId,
      tool: "create_workspace",
      params: { projectId, workspaces: drafts.map(requestOf) },
      waitMs: 0,
      ifOffline: "queue",
      idempotencyKey,
    });
  };
  const edit = (change: (drafts: Draft[]) => Draft[]) => {
    setDrafts(change);
    setIdempotencyKey(newId());
  };
  const pick = (change: { project?: string; device?: string }) => {
    setPicked({ ...picked, ...change });
    setIdempotencyKey(newId());
  };
  const errorOf = (field: string) => fieldError(create.error, field);
  const isAboutField = drafts.some((_, index) =>
    ["name", "branchName", "existingBranch", "baseBranch"].some((field) =>
      errorOf(`params.workspaces.${index}.${field}`),
    ),
  );
  if (projects.data?.length === 0) return <ProjectRequired organization={organization} />;
  if (devices.data?.length === 0) return <DeviceRequired organization={organization} />;
  const error = projects.error ?? devices.error;
  return (
    <Page title={drafts.length === 1 ? "New workspace" : "New workspaces"}>
      {error && (
        <Problem
          title="Could not load the current projects and devices."
          error={error}
          onRetry={() => void Promise.all([projects.refetch(), devices.refetch()])}
        />
      )}
      <form onSubmit={submit} className="flex max-w-3xl flex-col gap-5">
        <div className="grid gap-5 sm:grid-cols-2">
          <Select
            label="Project"
            value={projectId}
            onChange={(project) => pick({ project })}
            options={(projects.data ?? []).map(({ id, name }) => ({ value: id, title: name }))}
          />
          <Select
            label="Device"
            value={deviceId}
            onChange={(device) => pick({ device })}
            options={byPresence.map(({ id, name, status }) => ({
              value: id,
              title: status === "online" ? name : `${name} (offline, will wait)`,
            }))}
          />
        </div>
        {device?.status === "offline" && (
          <Note look="warn" title={`${device.name} is offline.`}>
            <p>The workspace is created when it is back online, within a day.</p>
          </Note>
        )}
        <ol className="flex flex-col gap-3">
          {drafts.map((draft, index) => (
            <DraftFields
              key={draft.key}
              draft={draft}
              title={drafts.length === 1 ? "The workspace" : `Workspace ${index + 1}`}
              defaultBranch={project?.defaultBranch ?? "main"}
              errorOf={(field) => errorOf(`params.workspaces.${index}.${field}`)}
              onChange={(changed) =>
                edit((all) => all.map((one) => (one.key === changed.key ? changed : one)))
              }
              {...(drafts.length > 1 && {
                onRemove: () => edit((all) => all.filter(({ key }) => key !== draft.key)),
              })}
            />
          ))}
        </ol>
        {drafts.length < MAX_WORKSPACES && (
          <div>
            <Button look="quiet" onClick={() => edit((all) => [...all, emptyDraft()])}>
              <Plus aria-hidden="true" className="size-4" />
              Add another
            </Button>
          </div>
        )}
        {create.error && !isAboutField && (
          <Problem title="Could not create the workspaces." error={create.error} />
        )}
        <div className="flex gap-2">
          <Button type="submit" look="primary" busy={create.isPending || !project || !device}>
            Make {pluralize(drafts.length, "workspace")}
          </Button>
          <Link to="/o/$organization/workspaces" params={{ organization }} className={buttonClass("quiet")}>
            Cancel
          </Link>
        </div>
      </form>
    </Page>
  );
}

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
