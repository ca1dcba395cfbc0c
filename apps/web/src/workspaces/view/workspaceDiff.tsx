import type { DiffFile } from "@grove/schemas";
import { type RefObject, Suspense, useCallback, useEffect, useMemo, useState } from "react";
import { type DiffSettings, useDiffSettings } from "../../diff/diffSettings";
import { inTreeOrder } from "../../diff/fileList/changedTree";
import type { ReadDiff } from "../../diff/patch/splitDiff";
import type { CommentFile, CommentRange } from "../../diff/selection/commentRange";
import { usePatches } from "../../diff/usePatches";
import { queries, queryClient } from "../../lib/api";
import { lazily } from "../../lib/browser/lazily";
import { newUuid } from "../../lib/newId";
import { HoldKeys } from "../../shortcuts/holdKeys";
import { Time } from "../../ui/time";
import { VanishingButton } from "../../ui/vanishingButton";
import { AgentChoice } from "../creation/agentChoice";
import { RestorePointsButton } from "../restorePoints/restorePointsButton";
import type { NewComment } from "../review/anchorOf";
import { useMarkChangeSeen } from "../review/useMarkChangeSeen";
import { type DiffInput, readPatches } from "./diffQuery";
import { DiffToolbar } from "./diffToolbar";
import { useAskAgent } from "./useAskAgent";
import { useDiffSnapshot } from "./useDiffSnapshot";
import { DiffFailed, NoChanges } from "./withoutDiff";

// Loads in parallel with the request to the device.
const viewer = import("../../diff/viewer");
const Viewer = lazily(async () => (await viewer).Viewer);
const ReviewPanel = lazily(async () => (await import("../review/reviewPanel")).ReviewPanel);
export interface WorkspaceDiffProps extends DiffInput {
  /** Which changes the user has chosen. */
  scope: string;
  /** Why all changes are shown instead. */
  notice: string | undefined;
  /** Undefined while it is loading, null for a workspace without a branch of its own. */
  changeId: string | null | undefined;
  /** Path of the file being read. The viewer scrolls to it first. */
  currentPath: RefObject<string | undefined>;
  /** Opens an agent's terminal. */
  onOpenSession: (sessionId: string) => void;
  /** Opens a file of the worktree. */
  onOpenFile: (path: string) => void;
}

/** The workspace's diff. A newer version is offered in a bar, because replacing it would disturb reading. */
export function WorkspaceDiff({
  target,
  workspaceId,
  scope,
  notice,
  changeId,
  against,
  ignoreWhitespace,
  currentPath,
  ...open
}: WorkspaceDiffProps) {
  const [settings, setSettings] = useDiffSettings();
  const input = { target, workspaceId, against, ignoreWhitespace };
  const { snapshot, error, retry, isOutdated, showCurrent, refresh, isCurrent } = useDiffSnapshot(input);
  const { markSeen, ...seen } = useMarkChangeSeen({ target, workspaceId, changeId, isCurrent });
  const [begun, setBegun] = useState<NewComment>();
  useEffect(() => {
    const end = viewer.then(
      ({ startPool }) => startPool(),
      // The viewer's error boundary reports that it could not load.
      () => () => undefined,
    );
    return () => void end.then((run) => run());
  }, []);
  if (!snapshot)
    return (
      <div className="p-4 sm:p-6">
        {error ? (
          <DiffFailed error={error} onRetry={retry} />
        ) : (
          <p role="status" className="text-muted">
            Loading the changes…
          </p>
        )}
      </div>
    );
  const { diff, readAt } = snapshot;
  const beginComment = (place: CommentFile | CommentRange) => {
    const shown = diff.files.find(({ path }) => path === place.path);
    if (shown) setBegun({ id: newUuid(), on: { place, shown, from: diff.from } });
  };
  return (
    <>
      <DiffToolbar
        diff={diff}
        scope={scope}
        ignoreWhitespace={ignoreWhitespace}
        settings={settings}
        onSettings={setSettings}
        onRefresh={() => {
          void refresh();
          void queryClient.invalidateQueries(queries.workspace.change.status.pathFilter());
        }}
        onComment={() => setBegun({ id: newUuid(), on: "change" })}
        onMarkSeen={markSeen}
        restorePoints={<RestorePointsButton target={target} workspaceId={workspaceId} />}
      />
      {notice !== undefined && (
        <p role="status" className="border-line border-b bg-warn-soft px-4 py-1.5 text-sm sm:px-6">
          {notice}
        </p>
      )}
      {isOutdated && (
        <div
          role="status"
          className="flex flex-wrap items-center gap-3 border-line border-b bg-warn-soft px-4 py-1.5 text-sm sm:px-6"
        >
          <span>
            The worktree has changed since <Time at={new Date(readAt).toISOString()} />.
          </span>
          <VanishingButton onClick={showCurrent}>Show latest changes</VanishingButton>
        </div>
      )}
      {/* Newer changes replace the files, but not a comment that is being written. */}
      <Suspense fallback={begun && <HoldKeys />}>
        <ReviewPanel
          target={target}
          workspaceId={workspaceId}
          against={against}
          seen={seen}
          readAt={readAt}
          begun={begun}
          onClose={() => setBegun(undefined)}
        />
      </Suspense>
      {diff.files.length === 0 ? (
        <NoChanges diff={diff} scope={notice === undefined ? scope : against} />
      ) : (
        <Files
          key={readAt}
          {...input}
          {...snapshot}
          {...open}
          currentPath={currentPath}
          settings={settings}
          onSettings={setSettings}
          onComment={beginComment}
        />
      )}
    </>
  );
}

interface FilesProps extends Omit<WorkspaceDiffProps, "scope" | "notice" | "changeId">, ReadDiff {
  readAt: number;
  settings: DiffSettings;
  onSettings: (change: Partial<DiffSettings>) => void;
  onComment: (place: CommentFile | CommentRange) => void;
}

function Files({
  diff,
  patches: initialPatches,
  readAt,
  currentPath,
  settings,
  onSettings,
  ...props
}: FilesProps) {
  const { organizationId, deviceId } = props.target;
  const { workspaceId, against, ignoreWhitespace, onOpenSession } = props;
  const files = useMemo(() => inTreeOrder(diff.files), [diff.files]);
  const load = useCallback(
    (batch: readonly DiffFile[], signal: AbortSignal) =>
      readPatches(
        { target: { organizationId, deviceId }, workspaceId, against, ignoreWhitespace },
        batch,
        signal,
      ),
    [organizationId, deviceId, workspaceId, against, ignoreWhitespace],
  );
  const source = { target: props.target, workspaceId, from: diff.from };
  const version = `${deviceId} ${workspaceId} ${against} ${ignoreWhitespace} ${readAt}`;
  const patches = usePatches({ files, initialPatches, version, load });
  const { askAgent, label, choice } = useAskAgent(organizationId, workspaceId, onOpenSession);
  return (
    <Suspense fallback={<div className="flex-1" />}>
      <AgentChoice choice={choice} />
      <Viewer
        source={source}
        files={files}
        onOpenFile={props.onOpenFile}
        patches={patches}
        settings={settings}
        onSettings={onSettings}
        initialPath={currentPath.current}
        onAsk={askAgent}
        askLabel={label}
        onComment={props.onComment}
        onCurrentPath={(path) => {
          currentPath.current = path;
        }}
      />
    </Suspense>
  );
}
