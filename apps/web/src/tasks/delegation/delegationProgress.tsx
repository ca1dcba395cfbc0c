import { Link } from "@tanstack/react-router";
import { X } from "lucide-react";
import { useOrganization } from "../../hooks/useOrganization";
import { Button, buttonClass, IconButton } from "../../ui/button";
import { Problem } from "../../ui/problem";
import { Progress } from "../../ui/progress";
import { Steps } from "../../ui/steps";
import { type Delegation, forgetDelegation } from "./delegationState";

/** Pressing a button here removes it, so the focus returns to the button that started the delegation. */
const keepFocus = () => document.getElementById("hand-over")?.focus();

/** Resumes a delegation. Loads the code on demand. */
async function resume(state: Delegation): Promise<void> {
  keepFocus();
  await (await import("./runDelegation")).runDelegation(state);
}

/** Shows the two steps of a delegation: workspace and agent. */
export function DelegationProgress({ state }: { state: Delegation }) {
  const { slug: organization } = useOrganization();
  const { order, step, progress, error, workspaceId, sessionId } = state;
  const { device, request, taskId } = order;
  const isOpen = step !== "done" && !error;
  const onExisting = () =>
    resume({
      ...state,
      order: { ...order, request: { name: request.name, existingBranch: request.branchName } },
    });
  return (
    <section
      aria-label="Hand over"
      className="flex flex-col gap-3 rounded-lg border border-line bg-raised p-3.5"
    >
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <Steps
            steps={[
              {
                title: `A workspace on ${device.name}`,
                done: step !== "workspace",
                action: <Detail>{progress}</Detail>,
              },
              {
                title: "An agent with this task",
                done: step === "done",
                action: <Detail>{progress}</Detail>,
              },
            ]}
          />
        </div>
        {!isOpen && (
          <IconButton
            label="Dismiss"
            onClick={() => {
              keepFocus();
              forgetDelegation(taskId);
            }}
          >
            <X aria-hidden="true" className="size-4" />
          </IconButton>
        )}
      </div>
      {isOpen && <Progress label="Hand over" fraction={null} />}
      {error && (
        <Problem
          title={step === "workspace" ? "Could not create the workspace." : "Could not start the agent."}
          error={error}
          onRetry={() => void resume(state)}
        >
          {error.reason === "branch_exists" && request.branchName !== undefined && (
            <Button onClick={() => void onExisting()}>Use the existing branch</Button>
          )}
        </Problem>
      )}
      {sessionId !== undefined ? (
        <Link
          to="/o/$organization/agents/$sessionId"
          params={{ organization, sessionId }}
          className={`self-start ${buttonClass("primary")}`}
        >
          Open its terminal
        </Link>
      ) : (
        workspaceId !== undefined && (
          <Link
            to="/o/$organization/workspaces/$workspaceId"
            params={{ organization, workspaceId }}
            className="self-start text-accent underline underline-offset-2"
          >
            Open the workspace
          </Link>
        )
      )}
    </section>
  );
}

const Detail = ({ children }: { children: string }) => <span className="text-muted text-sm">{children}</span>;
