import type { DiffFile, WorkspaceDiff } from "@grove/schemas";
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
import { useAskAgent } from "./askAgent";
import { DiffBar } from "./diffBar";
import { type DiffInput, diffQuery, readPatches } from "./diffQuery";

/** It loads while the device is asked. */
const viewer = import("../diff/viewer");
const Viewer = lazily(async () => (await viewer).Viewer);
const WhichAgent = lazily(async () => (await import("./whichAgent")).WhichAgent);
const ASK_DEVICE_MS = 15_000;

interface ChangesProps extends DiffInput {
  /** The file that is read, which the viewer begins with. */
  reading: RefObject<string | undefined>;
}

/** The changes as the device has them. They stay as they are while they are read; a bar offers newer ones. */
export function Changes({ target, workspaceId, against, ignoreWhitespace, reading }: ChangesProps) {
  const [settings, setSettings] = useSettings();
  const summary = useQuery({
    ...diffQuery({ target, workspaceId, against, ignoreWhitespace }),
    refetchInterval: ASK_DEVICE_MS,
  });
  const { data, dataUpdatedAt } = summary;
  const [shown, setShown] = useState<ReadDiff & { at: number }>();
  if (data && !shown) setShown({ ...data, at: dataUpdatedAt });
  useEffect(() => {
    const end = viewer.then(
      ({ startPool }) => startPool(),
      // The viewer's place says that it could not be loaded.
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
  // React Query keeps the object while the answer is the same.
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
          <Button onClick={() => setShown({ ...data, at: dataUpdatedAt })}>
            Show the changes as they are now
          </Button>
        </div>
      )}
      {diff.files.length === 0 ? (
        <Nothing diff={diff} against={against} />
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

interface FilesProps extends ChangesProps, ReadDiff {
  at: number;
  settings: Settings;
  onSettings: (change: Partial<Settings>) => void;
}

/** The files with their lines. */
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
  const { ask, words, choice } = useAskAgent(organizationId, workspaceId);
  return (
    <Suspense fallback={<div className="flex-1" />}>
      {choice && (
        <Suspense fallback={<HoldKeys />}>
          <WhichAgent {...choice} />
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
        ask={words}
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
      <Empty icon={GitCompare} title="The base is gone" action={<AgainstHead />}>
        {error.message}
      </Empty>
    );
  return <Problem title="The device cannot show the changes." error={error} onRetry={onRetry} />;
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

const Nothing = ({ diff, against }: { diff: WorkspaceDiff; against: "base" | "head" }) => (
  <div className="p-4 sm:p-6">
    <Empty icon={GitCompare} title="No difference">
      {against === "base" ? (
        <>
          This worktree is as <VisibleName className="font-mono text-sm">{diff.base}</VisibleName> was at{" "}
          <code className="font-mono text-sm">{diff.from?.slice(0, 8)}</code>, with nothing uncommitted.
        </>
      ) : (
        <>Everything is committed.</>
      )}
    </Empty>
  </div>
);
