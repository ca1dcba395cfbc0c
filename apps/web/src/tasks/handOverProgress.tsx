import { Link } from "@tanstack/react-router";
import { X } from "lucide-react";
import { useOrganization } from "../hooks/useOrganization";
import { Button, buttonClass, IconButton } from "../ui/button";
import { Problem } from "../ui/problem";
import { Progress } from "../ui/progress";
import { Steps } from "../ui/steps";
import { forgetHandOver, type HandOver } from "./handOver";

/** The buttons of this disappear when they are pressed, so the focus goes back to the one that began it. */
const keepFocus = () => document.getElementById("hand-over")?.focus();

/** The code that follows commands is loaded when it is needed. */
async function goOn(state: HandOver): Promise<void> {
  keepFocus();
  await (await import("./handingOver")).handOver(state);
}

/** Both steps of a task that is handed over, as one progress: what is done, what goes on, what has failed where. */
export function HandOverProgress({ state }: { state: HandOver }) {
  const { slug: organization } = useOrganization();
  const { order, step, words, error, workspaceId, sessionId } = state;
  const { device, request, taskId } = order;
  const isOpen = step !== "done" && !error;
  const onExisting = () =>
    goOn({
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
                action: <Words>{words}</Words>,
              },
              { title: "An agent with this task", done: step === "done", action: <Words>{words}</Words> },
            ]}
          />
        </div>
        {!isOpen && (
          <IconButton
            label="Put this away"
            onClick={() => {
              keepFocus();
              forgetHandOver(taskId);
            }}
          >
            <X aria-hidden="true" className="size-4" />
          </IconButton>
        )}
      </div>
      {isOpen && <Progress label="Hand over" fraction={null} />}
      {error && (
        <Problem
          title={step === "workspace" ? "The workspace was not made." : "The agent was not started."}
          error={error}
          onRetry={() => void goOn(state)}
        >
          {error.reason === "branch_exists" && request.branchName !== undefined && (
            <Button onClick={() => void onExisting()}>Use the branch that exists</Button>
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

const Words = ({ children }: { children: string }) => <span className="text-muted text-sm">{children}</span>;
