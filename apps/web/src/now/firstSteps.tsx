import { Link } from "@tanstack/react-router";
import { useOrganization } from "../hooks/useOrganization";
import { buttonClass } from "../ui/button";
import { Steps } from "../ui/steps";

interface FirstStepsProps {
  hasMachine: boolean;
  hasProject: boolean;
  hasWorkspace: boolean;
}

/** Onboarding, until the first agent has started. */
export function FirstSteps({ hasMachine, hasProject, hasWorkspace }: FirstStepsProps) {
  const { slug: organization } = useOrganization();
  const look = `ml-auto ${buttonClass("primary")}`;
  return (
    <section
      aria-labelledby="first-steps"
      className="flex max-w-2xl flex-col gap-4 rounded-lg border border-line p-5"
    >
      <div>
        <h2 id="first-steps" className="font-semibold text-lg">
          Three steps to your first agent
        </h2>
        <p className="text-muted">After that, this page shows what needs your attention.</p>
      </div>
      <Steps
        steps={[
          {
            title: "Add a device (a machine on which agents run)",
            done: hasMachine,
            action: (
              <Link to="/o/$organization/devices/add" params={{ organization }} className={look}>
                Add a device
              </Link>
            ),
          },
          {
            title: "Add a project (a git repository)",
            done: hasProject,
            action: (
              <Link to="/o/$organization/projects/new" params={{ organization }} className={look}>
                Add a project
              </Link>
            ),
          },
          {
            title: "Create a workspace and start an agent in it",
            done: false,
            action: (
              <Link
                to={hasWorkspace ? "/o/$organization/agents/new" : "/o/$organization/workspaces/new"}
                params={{ organization }}
                className={look}
              >
                {hasWorkspace ? "Start an agent" : "Create a workspace"}
              </Link>
            ),
          },
        ]}
      />
    </section>
  );
}
