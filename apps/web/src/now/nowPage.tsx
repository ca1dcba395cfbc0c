import { Link } from "@tanstack/react-router";
import { CircleCheck, Plus } from "lucide-react";
import { Suspense } from "react";
import { useOrganization, useUser } from "../hooks/useOrganization";
import { lazily } from "../lib/lazily";
import { waitingSessionsOf } from "../lib/waitingSessions";
import { buttonClass } from "../ui/button";
import { Empty } from "../ui/empty";
import { Page } from "../ui/page";
import { Problem } from "../ui/problem";
import { Skeleton } from "../ui/skeleton";
import { useDismissedFailures } from "./dismissedFailures";
import { recentFailures } from "./failedCommands";
import { Failures, OfflineDevices, RunningAgents, TasksInProgress } from "./nowLists";
import { offlineWithAgents } from "./offlineDevices";
import { useNow } from "./useNow";
import { useUnsentAnswers } from "./useUnsentAnswers";
import { WaitingAgents } from "./waitingAgents";

// Needed only until the user has decided on notifications.
const NotifyButton = lazily(async () => (await import("./notifyButton")).NotifyButton);
// Needed only before the first agent.
const FirstSteps = lazily(async () => (await import("./firstSteps")).FirstSteps);

/** Lists what needs the user's attention, most urgent first. */
export function NowPage() {
  const { id: organizationId, slug: organization } = useOrganization();
  const { id: me } = useUser();
  const { running, devices, projects, workspaces, tasks, failed, hasRun, isPending, error } = useNow(
    organizationId,
    me,
  );
  const [dismissed, dismiss] = useDismissedFailures();
  const asking = waitingSessionsOf(running, me);
  const answers = useUnsentAnswers(asking);
  const others = running.filter(({ waitingForInput }) => waitingForInput).length - asking.length;
  const failures = recentFailures(failed, dismissed, Date.now());
  const offline = offlineWithAgents(devices, running, me);
  const offlineIds = new Set(offline.map(({ device }) => device.id));
  const atWork = running.filter(
    ({ startedBy, waitingForInput, taskId, deviceId }) =>
      startedBy === me &&
      !waitingForInput &&
      !offlineIds.has(deviceId) &&
      !tasks.some(({ id }) => id === taskId),
  );
  const isFirst = !isPending && !hasRun;
  const isQuiet =
    answers.shown.length + failures.length + offline.length + tasks.length + atWork.length === 0;
  return (
    <Page
      title="Now"
      lead={
        <p role="status" className="text-muted">
          {asking.length === 0 ? "" : asking.length === 1 ? "1 agent asks" : `${asking.length} agents ask`}
        </p>
      }
      actions={
        <>
          <Suspense>
            <NotifyButton />
          </Suspense>
          {hasRun && (
            <Link to="/o/$organization/agents/new" params={{ organization }} className={buttonClass()}>
              <Plus aria-hidden="true" className="size-4" />
              Start an agent
            </Link>
          )}
        </>
      }
    >
      {error && <Problem title="Could not load some of the current data." error={error} />}
      {isPending && running.length === 0 && !error && <Skeleton />}
      <Suspense>
        {isFirst && (
          <FirstSteps
            hasMachine={devices.some(({ status }) => status === "online")}
            hasProject={projects.length > 0}
            hasWorkspace={workspaces.length > 0}
          />
        )}
      </Suspense>
      <WaitingAgents {...answers} workspaces={workspaces} devices={devices} />
      {others > 0 && (
        <p className="pt-3 text-muted">
          {others === 1
            ? "One agent of another member waits for input. "
            : `${others} agents of other members wait for input. `}
          <Link
            to="/o/$organization/agents"
            params={{ organization }}
            className="text-accent underline underline-offset-2"
          >
            See all agents
          </Link>
        </p>
      )}
      <Failures failures={failures} devices={devices} onDismiss={dismiss} />
      {offline.length > 0 && <OfflineDevices offline={offline} />}
      {tasks.length > 0 && <TasksInProgress tasks={tasks} running={running} />}
      {atWork.length > 0 && <RunningAgents sessions={atWork} workspaces={workspaces} />}
      {isQuiet && !isFirst && !isPending && (
        <Empty
          icon={CircleCheck}
          title="You are all caught up"
          action={
            <Link to="/o/$organization/tasks" params={{ organization }} className={buttonClass("primary")}>
              Open the board
            </Link>
          }
        >
          Agents that wait for input, failed commands, offline machines and your tasks in progress appear
          here.
        </Empty>
      )}
    </Page>
  );
}
