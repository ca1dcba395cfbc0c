import { Link } from "@tanstack/react-router";
import { AgentField, AgentNotes, PromptField } from "../components/agentFields";
import { useOrganization } from "../hooks/useOrganization";
import { Button, buttonClass } from "../ui/button";
import { Form, FormProblem } from "../ui/form";
import { Note } from "../ui/note";
import { Page } from "../ui/page";
import { SearchSelect } from "../ui/searchSelect";
import { VisibleName } from "../ui/visibleName";
import { useNewAgent } from "./useNewAgent";

export function NewAgentPage() {
  const { slug: organization } = useOrganization();
  const form = useNewAgent();
  const { workspaces, devices, workspace, device, task, start } = form;
  const isOnline = device?.status === "online";
  if (workspaces.data?.length === 0) return <NoWorkspaces organization={organization} />;
  return (
    <Page title="Start an agent">
      <Form className="flex max-w-3xl flex-col gap-5" error={start.error} onSubmit={form.submit}>
        <div className="grid gap-5 sm:grid-cols-2">
          <SearchSelect
            label="Workspace"
            value={form.workspaceId}
            onChange={form.selectWorkspace}
            options={(workspaces.data ?? []).map((each) => ({
              value: each.id,
              title: each.name,
              note: form.placeOf(each),
            }))}
          />
          <AgentField device={device} value={form.agent} onChange={form.setAgent} />
        </div>
        {devices.data && workspace && !isOnline && (
          <Note
            look="warn"
            title={device ? `${device.name} is offline.` : "The device of this workspace is not available."}
          >
            <p>You can start an agent when the workspace's machine is online.</p>
          </Note>
        )}
        {task && (
          <p className="text-muted">
            The agent works on the task{" "}
            <Link
              to="/o/$organization/tasks/$task"
              params={{ organization, task: task.slug }}
              className="wrap-anywhere text-accent underline"
            >
              <VisibleName>{task.title}</VisibleName>
            </Link>
            .
          </p>
        )}
        <AgentNotes device={device} formError={start.error} />
        <PromptField value={form.prompt} onChange={form.setPrompt} autoFocus />
        <FormProblem title="Could not start the agent." />
        <div className="flex gap-2">
          <Button type="submit" look="primary" busy={start.isPending} disabled={!isOnline}>
            {start.isPending ? "Starting…" : "Start agent"}
          </Button>
          <Link to="/o/$organization/agents" params={{ organization }} className={buttonClass("quiet")}>
            Cancel
          </Link>
        </div>
      </Form>
    </Page>
  );
}

const NoWorkspaces = ({ organization }: { organization: string }) => (
  <Page title="Start an agent">
    <Note title="Create a workspace first">
      <p>An agent works in a workspace, and this organization has none yet.</p>
      <Link
        to="/o/$organization/workspaces/new"
        params={{ organization }}
        className={`mt-2 ${buttonClass("primary")}`}
      >
        Create a workspace
      </Link>
    </Note>
  </Page>
);
