import type { DiffFile } from "@grove/schemas";
import { Suspense, useEffect, useEffectEvent, useRef, useState } from "react";
import { lazily } from "../lib/browser/lazily";
import { HoldKeys } from "../shortcuts/holdKeys";
import { Problem } from "../ui/problem";
import { Changes } from "./changes";
import { type CommentFile, type CommentRange, commentFile } from "./selection/commentRange";
import "./diff.css";
import type { DiffSettings } from "./diffSettings";
import { FileList } from "./fileList/fileList";
import { MissingFileNote } from "./fileList/missingFileNote";
import { useFileNavigation } from "./fileList/useFileNavigation";
import { useFoldedFiles } from "./fileList/useFoldedFiles";
import { useViewedFiles } from "./fileList/useViewedFiles";
import { putFileInUrl } from "./location/urlFragment";
import { useOpenLocation } from "./location/useOpenLocation";
import { useFileInUrl } from "./location/useUrlFragment";
import type { ViewHandle } from "./selection/selectLines";
import type { DiffSource } from "./source";
import { useDiffItems } from "./useDiffItems";
import { useDiffShortcuts } from "./useDiffShortcuts";
import { useLoadVisible } from "./useLoadVisible";
import type { Patches } from "./usePatches";
import { useRegion } from "./useRegion";

export { startPool } from "./workerPool";

const loadFindBar = async () => (await import("./find/diffFindBar")).DiffFindBar;
const DiffFindBar = lazily(loadFindBar);
const LineSelection = lazily(async () => (await import("./selection/lineSelection")).LineSelection);

interface ViewerProps {
  source: DiffSource;
  /** In the order of the list. */
  files: readonly DiffFile[];
  patches: Patches;
  settings: DiffSettings;
  onSettings: (change: Partial<DiffSettings>) => void;
  /** The file to open first, instead of the one in the URL. */
  initialPath: string | undefined;
  /** Called when the current file changes. */
  onCurrentPath: (path: string) => void;
  /** Opens a file of the worktree. */
  onOpenFile: (path: string) => void;
  /** Called with the quoted lines. */
  onAsk: (quote: string) => void;
  /** The label of the "ask an agent" button. */
  askLabel: string;
  /** Called to comment on a file or lines of it. */
  onComment: (place: CommentFile | CommentRange) => void;
}

/** The diff viewer: the file list, and the changes of all files in one scroll area. */
export function Viewer({ source, files, patches, initialPath, ...props }: ViewerProps) {
  const { settings, onSettings, onCurrentPath, onAsk, askLabel } = props;
  const { byPath, requestPatches } = patches;
  const view = useRef<ViewHandle>(null);
  const { region, isRegion, focusRegion } = useRegion();
  const foldedFiles = useFoldedFiles(source.workspaceId, files);
  const { folded, fold } = foldedFiles;
  const viewedFiles = useViewedFiles(source.workspaceId, files, fold);
  const { items, diffOf } = useDiffItems(files, byPath, folded);
  const navigation = useFileNavigation({ view, files, folded, diffOf, requestPatches });
  const { current, file, setCurrentPath, onUserScroll } = navigation;
  const focusChanges = () => focusRegion({ preventScroll: true });
  const location = useOpenLocation({ files, initialPath, navigation, fold, focusChanges });
  const { missingPath, target } = location;
  const [selection, setSelection] = useState<ReturnType<ViewHandle["getSelectedLines"]>>(null);
  const [isFinding, setFinding] = useState(false);
  useFileInUrl(file?.path);
  const reportPath = useEffectEvent(onCurrentPath);
  useEffect(() => {
    if (file) reportPath(file.path);
  }, [file]);
  useEffect(() => {
    // Preloads the find bar.
    loadFindBar().catch(() => undefined);
  }, []);
  const commentOn = (commented: DiffFile) => props.onComment(commentFile(commented));
  const onFind = () => setFinding(true);
  useDiffShortcuts({ navigation, viewedFiles, fold, settings, onSettings, onFind, onComment: commentOn });
  const loadVisible = useLoadVisible(view, files, requestPatches);
  const onSelect = (lines: typeof selection) => {
    setSelection(lines);
    if (lines) setCurrentPath(lines.id);
  };
  const showFile = (path: string) => {
    setCurrentPath(path);
    navigation.resetHunk();
    if (folded.has(path)) fold(path, false);
  };
  const closeFind = () => {
    setFinding(false);
    focusRegion();
  };
  const askAgent = (quote: string) => {
    // The URL lags behind the current file. Update it first, so that back navigation returns to this file.
    if (file) putFileInUrl(file.path);
    onAsk(quote);
  };
  return (
    <div className="@container flex min-h-0 flex-1 max-md:min-h-96">
      <FileList files={files} viewed={viewedFiles.viewed} current={current} onChoose={navigation.goTo} />
      <div
        className="grove-diff relative flex min-w-0 flex-1 flex-col"
        onWheel={onUserScroll}
        // The lines cover the scroll area, so a press on the area itself is on its scroll bar.
        onPointerDown={({ target }) => isRegion(target) && onUserScroll()}
        onTouchMove={onUserScroll}
        onScrollEndCapture={navigation.ignoreScroll}
      >
        {missingPath !== undefined && <MissingFileNote path={missingPath} onClose={location.closeMissing} />}
        {patches.error && (
          <Problem
            title="Could not load some of the changes."
            error={patches.error}
            onRetry={patches.retry}
          />
        )}
        <Suspense fallback={<HoldKeys />}>
          {isFinding && (
            <DiffFindBar
              view={view}
              files={files}
              patches={patches}
              diffOf={diffOf}
              onShow={showFile}
              onClose={closeFind}
            />
          )}
        </Suspense>
        <Changes
          view={view}
          region={region}
          files={files}
          items={items}
          patches={patches}
          foldedFiles={foldedFiles}
          viewedFiles={viewedFiles}
          current={current}
          settings={settings}
          source={source}
          onOpenFile={props.onOpenFile}
          onComment={commentOn}
          onSelect={onSelect}
          onScroll={(top, layout) => navigation.onScrolledTo(loadVisible(top, layout))}
        />
        <Suspense>
          <LineSelection
            view={view}
            selection={selection}
            diffOf={diffOf}
            askLabel={askLabel}
            onAsk={askAgent}
            onComment={props.onComment}
            target={target && byPath.has(target.path) ? target : undefined}
            onTargetSelected={location.clearTarget}
            current={file && !folded.has(file.path) ? file.path : undefined}
            onMove={(text) => {
              navigation.ignoreScroll();
              navigation.announce(text);
            }}
          />
        </Suspense>
      </div>
      <p role="status" className="sr-only">
        {navigation.announcement}
      </p>
    </div>
  );
}
