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
import { Asks } from "./asks";
import { useNow } from "./data";
import { newsOf } from "./failures";
import { AtWork, Failures, GoneMachines, TasksInProgress } from "./lists";
import { usePutAway } from "./putAway";
import { useUnsentAnswers } from "./useUnsentAnswers";
import { goneOf } from "./waits";

// Only as long as the browser has not been asked.
const Notify = lazily(async () => (await import("./notify")).Notify);
// Only before the first agent.
const FirstSteps = lazily(async () => (await import("./firstSteps")).FirstSteps);

/** The things that wait for the person who looks, the most urgent first. */
export function NowPage() {
  const { id: organizationId, slug: organization } = useOrganization();
  const { id: me } = useUser();
  const { running, devices, projects, workspaces, tasks, failed, hasRun, isPending, error } = useNow(
    organizationId,
    me,
  );
  const [away, putAway] = usePutAway();
  const asking = waitingSessionsOf(running, me);
  const answers = useUnsentAnswers(asking);
  const others = running.filter(({ waitingForInput }) => waitingForInput).length - asking.length;
  const failures = newsOf(failed, away, Date.now());
  const gone = goneOf(devices, running, me);
  const isGone = new Set(gone.map(({ device }) => device.id));
  const atWork = running.filter(
    ({ startedBy, waitingForInput, taskId, deviceId }) =>
      startedBy === me && !waitingForInput && !isGone.has(deviceId) && !tasks.some(({ id }) => id === taskId),
  );
  const isFirst = !isPending && !hasRun;
  const isQuiet = answers.shown.length + failures.length + gone.length + tasks.length + atWork.length === 0;
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
            <Notify />
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
      {error && <Problem title="Some of this cannot be shown as it is now." error={error} />}
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
      <Asks {...answers} workspaces={workspaces} devices={devices} />
      {others > 0 && (
        <p className="pt-3 text-muted">
          {others === 1
            ? "One agent of another person asks, too. "
            : `${others} agents of other people ask, too. `}
          <Link
            to="/o/$organization/agents"
            params={{ organization }}
            className="text-accent underline underline-offset-2"
          >
            See all agents
          </Link>
        </p>
      )}
      <Failures failures={failures} devices={devices} onPutAway={putAway} />
      {gone.length > 0 && <GoneMachines gone={gone} />}
      {tasks.length > 0 && <TasksInProgress tasks={tasks} running={running} />}
      {atWork.length > 0 && <AtWork sessions={atWork} workspaces={workspaces} />}
      {isQuiet && !isFirst && !isPending && (
        <Empty
          icon={CircleCheck}
          title="Nothing waits for you"
          action={
            <Link to="/o/$organization/tasks" params={{ organization }} className={buttonClass("primary")}>
              Open the board
            </Link>
          }
        >
          Agents that ask, commands that failed, machines that went away and your tasks in progress appear
          here.
        </Empty>
      )}
    </Page>
  );
}
