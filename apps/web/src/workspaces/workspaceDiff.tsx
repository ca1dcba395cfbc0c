import type { WorkspaceDiff as Diff, DiffFile } from "@grove/schemas";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { GitCompare } from "lucide-react";
import { type RefObject, Suspense, useCallback, useEffect, useState } from "react";
import { type Settings, useSettings } from "../diff/settings";
import type { ReadDiff } from "../diff/splitDiff";
import { usePatches } from "../diff/usePatches";
import { CommandFailed } from "../lib/deviceTools";
import { lazily } from "../lib/lazily";
import { HoldKeys } from "../shortcuts/holdKeys";
import { Button, buttonClass } from "../ui/button";
import { Empty } from "../ui/empty";
import { Problem } from "../ui/problem";
import { Time } from "../ui/time";
import { VisibleName } from "../ui/visibleName";
import { DiffBar } from "./diffBar";
import { type DiffInput, diffQuery, readPatches } from "./diffQuery";
import { useAskAgent } from "./useAskAgent";

// Loads in parallel with the request to the device.
const viewer = import("../diff/viewer");
const Viewer = lazily(async () => (await viewer).Viewer);
const ChooseAgentDialog = lazily(async () => (await import("./chooseAgentDialog")).ChooseAgentDialog);
const DEVICE_POLL_MS = 15_000;

interface WorkspaceDiffProps extends DiffInput {
  /** Path of the file being read. The viewer scrolls to it first. */
  reading: RefObject<string | undefined>;
}

/** The workspace's diff. A newer version is offered in a bar, because replacing it would disturb reading. */
export function WorkspaceDiff({
  target,
  workspaceId,
  against,
  ignoreWhitespace,
  reading,
}: WorkspaceDiffProps) {
  const [settings, setSettings] = useSettings();
  const summary = useQuery({
    ...diffQuery({ target, workspaceId, against, ignoreWhitespace }),
    refetchInterval: DEVICE_POLL_MS,
  });
  const { data, dataUpdatedAt } = summary;
  const [shown, setShown] = useState<ReadDiff & { at: number }>();
  if (data && !shown) setShown({ ...data, at: dataUpdatedAt });
  useEffect(() => {
    const end = viewer.then(
      ({ startPool }) => startPool(),
      // The viewer's error boundary reports that it could not load.
      () => () => undefined,
    );
    return () => void end.then((run) => run());
  }, []);
  if (!shown)
    return (
      <div className="p-4 sm:p-6">
        {summary.error ? (
          <Failed error={summary.error} onRetry={() => void summary.refetch()} />
        ) : (
          <p role="status" className="text-muted">
            Reading the changes …
          </p>
        )}
      </div>
    );
  const { diff, patches, at } = shown;
  // React Query keeps the object's identity while the answer is equal.
  const isNewer = data !== undefined && data.diff !== diff;
  return (
    <>
      <DiffBar
        diff={diff}
        against={against}
        ignoreWhitespace={ignoreWhitespace}
        settings={settings}
        onSettings={setSettings}
      />
      {isNewer && (
        <div
          role="status"
          className="flex flex-wrap items-center gap-3 border-line border-b bg-warn-soft px-4 py-1.5 text-sm sm:px-6"
        >
          <span>
            The worktree has changed since <Time at={new Date(at).toISOString()} />.
          </span>
          <Button onClick={() => setShown({ ...data, at: dataUpdatedAt })}>Show the current changes</Button>
        </div>
      )}
      {diff.files.length === 0 ? (
        <NoChanges diff={diff} against={against} />
      ) : (
        <Files
          key={at}
          {...{ target, workspaceId, against, ignoreWhitespace, diff, patches, at, reading, settings }}
          onSettings={setSettings}
        />
      )}
    </>
  );
}

interface FilesProps extends WorkspaceDiffProps, ReadDiff {
  at: number;
  settings: Settings;
  onSettings: (change: Partial<Settings>) => void;
}

function Files({ diff, patches: known, at, reading, settings, onSettings, ...asked }: FilesProps) {
  const { organizationId, deviceId } = asked.target;
  const { workspaceId, against, ignoreWhitespace } = asked;
  const { files } = diff;
  const load = useCallback(
    (some: readonly DiffFile[], signal: AbortSignal) =>
      readPatches(
        { target: { organizationId, deviceId }, workspaceId, against, ignoreWhitespace },
        some,
        signal,
      ),
    [organizationId, deviceId, workspaceId, against, ignoreWhitespace],
  );
  const version = `${deviceId} ${workspaceId} ${against} ${ignoreWhitespace} ${at}`;
  const patches = usePatches({ files, known, version, load });
  const { ask, label, choice } = useAskAgent(organizationId, workspaceId);
  return (
    <Suspense fallback={<div className="flex-1" />}>
      {choice && (
        <Suspense fallback={<HoldKeys />}>
          <ChooseAgentDialog {...choice} />
        </Suspense>
      )}
      <Viewer
        workspaceId={workspaceId}
        files={files}
        patches={patches}
        settings={settings}
        onSettings={onSettings}
        startAt={reading.current}
        onAsk={ask}
        ask={label}
        onRead={(path) => {
          reading.current = path;
        }}
      />
    </Suspense>
  );
}

function Failed({ error, onRetry }: { error: Error; onRetry: () => void }) {
  if (error instanceof CommandFailed && error.reason === "base_unknown")
    return (
      <Empty icon={GitCompare} title="The base no longer exists" action={<AgainstHead />}>
        {error.message}
      </Empty>
    );
  return <Problem title="Could not load the changes." error={error} onRetry={onRetry} />;
}

const AgainstHead = () => (
  <Link
    from="/o/$organization/workspaces/$workspaceId/diff"
    to="."
    search={{ against: "head" }}
    className={buttonClass("primary")}
  >
    Compare with the last commit
  </Link>
);

const NoChanges = ({ diff, against }: { diff: Diff; against: "base" | "head" }) => (
  <div className="p-4 sm:p-6">
    <Empty icon={GitCompare} title="No changes">
      {against === "base" ? (
        <>
          This worktree equals <VisibleName className="font-mono text-sm">{diff.base}</VisibleName> at{" "}
          <code className="font-mono text-sm">{diff.from?.slice(0, 8)}</code>, without uncommitted changes.
        </>
      ) : (
        <>Everything is committed.</>
      )}
    </Empty>
  </div>
);
