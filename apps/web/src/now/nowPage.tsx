import { Link } from "@tanstack/react-router";
import { CircleCheck, Plus } from "lucide-react";
import { Suspense, useState } from "react";
import { useOrganization, useUser } from "../hooks/useOrganization";
import { useDismissedSessions } from "../lib/agentSessions/dismissedSessions";
import { lazily } from "../lib/browser/lazily";
import { buttonClass } from "../ui/button";
import { EmptyState } from "../ui/emptyState";
import { Page } from "../ui/page";
import { Problem } from "../ui/problem";
import { Skeleton } from "../ui/skeleton";
import { useDismissedFailures } from "./dismissedFailures";
import { Failures, RunningAgents, TasksInProgress } from "./nowLists";
import { nowSections } from "./nowSections";
import { useNowData } from "./useNowData";
import { useUnsentAnswers } from "./useUnsentAnswers";

// Needed only until the user has decided on notifications.
const NotifyButton = lazily(async () => (await import("./notifyButton")).NotifyButton);
// Needed only while a machine with running agents is offline.
const OfflineDevicesList = lazily(async () => (await import("./offlineDevicesList")).OfflineDevicesList);
// Needed only while a change waits.
const WaitingChanges = lazily(async () => (await import("./waitingChanges")).WaitingChanges);
// Needed only once an agent makes a request.
const RequestInbox = lazily(async () => (await import("./requests/requestInbox")).RequestInbox);
// Needed only once an agent waits.
const WaitingAgents = lazily(async () => (await import("./waitingAgents")).WaitingAgents);
// Needed only before the first agent.
const FirstSteps = lazily(async () => (await import("./firstSteps")).FirstSteps);

/** Lists what needs the user's attention, most urgent first. */
export function NowPage() {
  const { id: organizationId, slug: organization } = useOrganization();
  const { id: me } = useUser();
  const data = useNowData(organizationId, me);
  const { running, devices, projects, workspaces, tasks, requests, hasRun, isPending, error } = data;
  const [dismissedIds, dismiss] = useDismissedFailures();
  const dismissedSessions = useDismissedSessions();
  const sections = nowSections(data, { me, dismissedIds, dismissedSessions, now: Date.now() });
  const { waiting, withoutRequest, failures, offline, done, working } = sections;
  const waitingCards = useUnsentAnswers(withoutRequest);
  const hasWaited = useHasBeen(waitingCards.shown.length > 0);
  const hasInbox = useHasBeen(requests.length > 0);
  const hasNoAgentYet = !isPending && !hasRun;
  const isCaughtUp = sections.isEmpty && waitingCards.shown.length === 0 && !hasNoAgentYet && !isPending;
  return (
    <Page
      title="Now"
      lead={<WaitingCount count={waiting.length} />}
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
      {error && <Problem title="Could not load some of the data." error={error} />}
      {isPending && running.length === 0 && !error && <Skeleton />}
      <Suspense>
        {hasNoAgentYet && (
          <FirstSteps
            hasMachine={devices.some(({ status }) => status === "online")}
            hasProject={projects.length > 0}
            hasWorkspace={workspaces.length > 0}
          />
        )}
      </Suspense>
      <Suspense>
        {hasInbox && (
          <RequestInbox requests={requests} workspaces={workspaces} devices={devices} sessions={running} />
        )}
        {hasWaited && <WaitingAgents {...waitingCards} workspaces={workspaces} devices={devices} />}
      </Suspense>
      <OtherWaiting count={sections.otherWaitingCount} />
      <Suspense>
        {sections.changes.length > 0 && <WaitingChanges changes={sections.changes} tasks={tasks} />}
      </Suspense>
      <Failures failures={failures} devices={devices} onDismiss={dismiss} />
      <Suspense>{offline.length > 0 && <OfflineDevicesList offline={offline} />}</Suspense>
      {tasks.length > 0 && <TasksInProgress tasks={tasks} running={running} />}
      {done.length > 0 && (
        <RunningAgents title="Done since your last visit" isNext sessions={done} workspaces={workspaces} />
      )}
      {working.length > 0 && (
        <RunningAgents title="Your running agents" sessions={working} workspaces={workspaces} />
      )}
      {isCaughtUp && <AllCaughtUp />}
    </Page>
  );
}

const WaitingCount = ({ count }: { count: number }) => (
  <p role="status" className="text-muted">
    {count === 0 ? "" : count === 1 ? "1 agent needs input" : `${count} agents need input`}
  </p>
);

/** Links to the agents that wait for the input of other members. */
function OtherWaiting({ count }: { count: number }) {
  const { slug: organization } = useOrganization();
  if (count === 0) return null;
  return (
    <p className="pt-3 text-muted">
      {count === 1
        ? "1 agent of another member needs input. "
        : `${count} agents of other members need input. `}
      <Link
        to="/o/$organization/agents"
        params={{ organization }}
        className="text-accent underline underline-offset-2"
      >
        See all agents
      </Link>
    </p>
  );
}

function AllCaughtUp() {
  const { slug: organization } = useOrganization();
  return (
    <EmptyState
      icon={CircleCheck}
      title="You are all caught up"
      action={
        <Link to="/o/$organization/tasks" params={{ organization }} className={buttonClass("primary")}>
          Open board
        </Link>
      }
    >
      Agents that need input, changes to review, failed commands, offline machines and your tasks in progress
      appear here.
    </EmptyState>
  );
}

/** Whether a condition has been true since the component was mounted. */
function useHasBeen(condition: boolean): boolean {
  const [hasBeen, setHasBeen] = useState(condition);
  if (condition && !hasBeen) setHasBeen(true);
  return hasBeen || condition;
}
