import type { DiffFile } from "@grove/schemas";
import type { CodeViewDiffItem } from "@pierre/diffs";
import { CodeView, WorkerPoolContextProvider } from "@pierre/diffs/react";
import { Suspense, useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import { lazily } from "../lib/lazily";
import { useTheme } from "../lib/theme";
import { HoldKeys } from "../shortcuts/holdKeys";
import { useShortcuts } from "../shortcuts/shortcuts";
import { Problem } from "../ui/problem";
import { hasPatch } from "./batches";
import { hasOnlyLineEndings, hiddenCharactersIn, markHidden } from "./hiddenCharacters";
import { type DiffLocation, putFileInUrl } from "./urlFragment";
import "./diff.css";
import { FileList } from "./fileList";
import { FileHeader, HEADER_PX } from "./header";
import { changesOf } from "./hunks";
import { MissingFileNote } from "./missingFileNote";
import type { Handle } from "./selectLines";
import type { Settings } from "./settings";
import { toFileDiff } from "./toFileDiff";
import { useEnterKey } from "./useEnterKey";
import type { Patches } from "./usePatches";
import { useFileInUrl, useUrlFragment } from "./useUrlFragment";
import { markViewed, viewedOf } from "./viewedFiles";
import { POOL, THEME } from "./workerPool";

export { startPool } from "./workerPool";

const loadFindBar = async () => (await import("./findBar")).FindBar;
const FindBar = lazily(loadFindBar);
const LineSelection = lazily(async () => (await import("./lineSelection")).LineSelection);

interface ViewerProps {
  workspaceId: string;
  /** In the order of the list. */
  files: readonly DiffFile[];
  patches: Patches;
  settings: Settings;
  onSettings: (change: Partial<Settings>) => void;
  /** The file to open first, instead of the one in the URL. */
  startAt: string | undefined;
  /** Called when the current file changes. */
  onRead: (path: string) => void;
  /** Called with the quoted lines. */
  onAsk: (quote: string) => void;
  /** The label of the "ask an agent" button. */
  ask: string;
}

/** The diff viewer: the file list, and the changes of all files in one scroll area. */
export function Viewer({ workspaceId, files, patches, ...more }: ViewerProps) {
  const { settings, onSettings, startAt, onRead, onAsk, ask } = more;
  const theme = useTheme();
  const view = useRef<Handle>(null);
  const { byPath, error, retry, want } = patches;
  const [viewed, setViewed] = useState(() => viewedOf(workspaceId, files));
  const [folded, setFolded] = useState<ReadonlySet<string>>(viewed);
  const [current, setCurrent] = useState(0);
  const [announcement, setAnnouncement] = useState("");
  const hunk = useRef(-1);
  /**
   * False after keyboard navigation. The last files cannot scroll to the top, so the scroll position does not identify
   * the current file.
   */
  const isScrollFree = useRef(true);

  /** Items by path. An unchanged item stays the same object: a new one makes the viewer lay out all items again. */
  const known = useRef(new Map<string, { patch: string | null | undefined; item: CodeViewDiffItem }>());
  const diffOf = useCallback((path: string) => known.current.get(path)?.item.fileDiff, []);
  const items = useMemo(
    () =>
      files.map((file): CodeViewDiffItem => {
        const patch = byPath.get(file.path)?.patch;
        const collapsed = folded.has(file.path);
        const before = known.current.get(file.path);
        const isRead = before?.patch === patch;
        if (before && isRead && before.item.collapsed === collapsed) return before.item;
        const fileDiff = before && isRead ? before.item.fileDiff : toFileDiff(file, patch);
        const version = (patch === undefined ? 0 : 2) + (collapsed ? 1 : 0);
        const item = { id: file.path, type: "diff", fileDiff, collapsed, version } as const;
        known.current.set(file.path, { patch, item });
        return item;
      }),
    [files, byPath, folded],
  );
  const byId = useMemo(() => new Map(files.map((file, index) => [file.path, { file, index }])), [files]);

  /** Loads the patches near the viewport, and returns the index of the file at its top. */
  const loadVisible = useCallback(
    (top: number, height: number, topOf: (id: string) => number | undefined) => {
      // Binary search for the last file that begins at or above the top of the viewport.
      let low = 0;
      let high = files.length - 1;
      while (low < high) {
        const middle = Math.ceil((low + high) / 2);
        if ((topOf(files[middle]?.path ?? "") ?? 0) <= top + 1) low = middle;
        else high = middle - 1;
      }
      const near: string[] = [];
      for (let at = low; at < files.length; at++) {
        const path = files[at]?.path ?? "";
        if ((topOf(path) ?? 0) > top + 2 * height) break;
        near.push(path);
      }
      want(near);
      return low;
    },
    [files, want],
  );

  const goTo = (index: number) => {
    const file = files[index];
    if (!file) return;
    isScrollFree.current = false;
    hunk.current = -1;
    setCurrent(index);
    want([file.path]);
    view.current?.setSelectedLines(null);
    view.current?.scrollTo({ type: "item", id: file.path, align: "start", behavior: "instant" });
    setAnnouncement(`${file.path}, ${index + 1} of ${files.length}`);
  };
  const goToHunk = (step: 1 | -1) => {
    const file = files[current];
    const diff = file && diffOf(file.path);
    const next = hunk.current + step;
    const target = diff && !folded.has(file.path) ? changesOf(diff)[next] : undefined;
    if (!file || !target || next < 0) return goTo(current + step);
    isScrollFree.current = false;
    hunk.current = next;
    const { side, start, lines } = target;
    view.current?.scrollTo({
      ...{ type: "line", id: file.path, lineNumber: start, side, align: "center", behavior: "instant" },
    });
    view.current?.setSelectedLines({ id: file.path, range: { side, start, end: start + lines - 1 } });
    setAnnouncement(`Change ${next + 1} of ${diff?.hunks.length} in ${file.path}`);
  };
  const fold = (path: string, isFolded = !folded.has(path)) =>
    setFolded(
      (before) => new Set([...[...before].filter((each) => each !== path), ...(isFolded ? [path] : [])]),
    );
  const setIsViewed = (file: DiffFile, isViewed: boolean) => {
    markViewed(workspaceId, file, isViewed);
    setViewed(
      (before) =>
        new Set([...[...before].filter((each) => each !== file.path), ...(isViewed ? [file.path] : [])]),
    );
    fold(file.path, isViewed);
  };
  const [selection, setSelection] = useState<ReturnType<Handle["getSelectedLines"]>>(null);
  /** Makes the file of the selected lines the current one. */
  const onSelect = (lines: typeof selection) => {
    setSelection(lines);
    if (!lines) return;
    isScrollFree.current = false;
    setCurrent(byId.get(lines.id)?.index ?? current);
  };
  const showFile = (path: string) => {
    isScrollFree.current = false;
    hunk.current = -1;
    setCurrent(byId.get(path)?.index ?? current);
    if (folded.has(path)) fold(path, false);
  };
  const [isFinding, setFinding] = useState(false);
  useEffect(() => {
    // Preloads the find bar.
    loadFindBar().catch(() => undefined);
  }, []);
  const closeFind = () => {
    setFinding(false);
    regionNode.current?.focus();
  };
  const [missing, setMissing] = useState<string>();
  /** The location from the URL whose lines to select once they are loaded. */
  const [target, setTarget] = useState<DiffLocation>();
  const open = ({ path, lines }: DiffLocation) => {
    const found = files.find((each) => each.path === path) ?? files.find(({ oldPath }) => oldPath === path);
    setMissing(found ? undefined : path);
    if (!found) return setAnnouncement(`${path} is not among these changes`);
    fold(found.path, false);
    goTo(files.indexOf(found));
    regionNode.current?.focus({ preventScroll: true });
    setTarget(lines && { path: found.path, lines });
  };
  useUrlFragment(open, () => {
    const index = files.findIndex(({ path }) => path === startAt);
    if (index > 0) goTo(index);
    return startAt !== undefined;
  });
  const file = files[current];
  useFileInUrl(file?.path);
  const askAgent = (quote: string) => {
    // The URL lags behind the current file. Update it first, so that back navigation returns to this file.
    if (file) putFileInUrl(file.path);
    onAsk(quote);
  };
  const read = useEffectEvent(onRead);
  useEffect(() => {
    if (file) read(file.path);
  }, [file]);
  const toggleFold = () => file && fold(file.path);
  useEnterKey(toggleFold);
  useShortcuts({
    title: "Diff",
    scope: "page",
    shortcuts: [
      { keys: "j", title: "Next file", run: () => goTo(current + 1) },
      { keys: "k", title: "Previous file", run: () => goTo(current - 1) },
      { keys: "n", title: "Next change", run: () => goToHunk(1) },
      { keys: "p", title: "Previous change", run: () => goToHunk(-1) },
      { keys: "Enter", title: "Fold the file" },
      { keys: "/", title: "Find in the changes", run: () => setFinding(true) },
      {
        keys: "v",
        title: "Mark the file as viewed",
        run: () => file && setIsViewed(file, !viewed.has(file.path)),
      },
      {
        keys: "u",
        title: "Side by side, or one below the other",
        run: () => onSettings({ layout: settings.layout === "split" ? "unified" : "split" }),
      },
    ],
  });

  const regionNode = useRef<HTMLDivElement>(null);
  const region = useCallback((node: HTMLDivElement | null) => {
    regionNode.current = node;
    node?.setAttribute("role", "region");
    node?.setAttribute("aria-label", "Changes");
    node?.setAttribute("tabindex", "0");
  }, []);
  const onUserScroll = () => {
    isScrollFree.current = true;
  };
  useEffect(() => {
    const instance = view.current?.getInstance();
    if (instance)
      loadVisible(instance.getScrollTop(), instance.getHeight(), (id) => instance.getTopForItem(id));
  });

  return (
    <div className="flex min-h-0 flex-1">
      <FileList files={files} viewed={viewed} current={current} onChoose={goTo} />
      <div
        className="grove-diff relative flex min-w-0 flex-1 flex-col"
        onWheel={onUserScroll}
        onPointerDown={onUserScroll}
        onTouchMove={onUserScroll}
      >
        {missing !== undefined && <MissingFileNote path={missing} onClose={() => setMissing(undefined)} />}
        {error && <Problem title="Could not load some of the changes." error={error} onRetry={retry} />}
        <Suspense fallback={<HoldKeys />}>
          {isFinding && (
            <FindBar {...{ view, files, patches, diffOf }} onShow={showFile} onClose={closeFind} />
          )}
        </Suspense>
        <WorkerPoolContextProvider {...POOL}>
          <CodeView
            ref={view}
            containerRef={region}
            className="min-h-0 flex-1 overflow-auto"
            items={items}
            onSelectedLinesChange={onSelect}
            onScroll={(top, instance) => {
              const at = loadVisible(top, instance.getHeight(), (id) => instance.getTopForItem(id));
              if (isScrollFree.current) setCurrent(at);
            }}
            renderCustomHeader={({ id }) => {
              const found = byId.get(id);
              return (
                found && (
                  <FileHeader
                    file={
                      byPath.get(id)?.omitted
                        ? { ...found.file, omitted: byPath.get(id)?.omitted ?? null }
                        : found.file
                    }
                    isFolded={folded.has(id)}
                    isViewed={viewed.has(id)}
                    isCurrent={found.index === current}
                    hidden={hiddenCharactersIn(byPath.get(id) ?? found.file)}
                    hasOnlyLineEndings={hasOnlyLineEndings(byPath.get(id) ?? found.file)}
                    isLoading={hasPatch(found.file) && !byPath.has(id) && !error}
                    onFold={() => fold(id)}
                    onView={(isViewed) => setIsViewed(found.file, isViewed)}
                  />
                )
              );
            }}
            options={{
              theme: THEME,
              themeType: theme,
              diffStyle: settings.layout,
              overflow: settings.wrap ? "wrap" : "scroll",
              stickyHeaders: true,
              hunkSeparators: "simple",
              enableLineSelection: true,
              itemMetrics: { diffHeaderHeight: HEADER_PX },
              onPostRender: (node, instance, phase) => {
                const path = "fileDiff" in instance ? instance.fileDiff?.name : undefined;
                const of = path === undefined ? undefined : byPath.get(path);
                if (phase !== "unmount" && of && hiddenCharactersIn(of) > 0) markHidden(node);
              },
              layout: { paddingTop: 0, paddingBottom: 8, gap: 8 },
            }}
          />
        </WorkerPoolContextProvider>
        <Suspense>
          <LineSelection
            {...{ view, selection, diffOf, ask }}
            onAsk={askAgent}
            target={target && byPath.has(target.path) ? target : undefined}
            onTargetSelected={() => setTarget(undefined)}
            current={file && !folded.has(file.path) ? file.path : undefined}
            onMove={(text) => {
              isScrollFree.current = false;
              setAnnouncement(text);
            }}
          />
        </Suspense>
      </div>
      <p role="status" className="sr-only">
        {announcement}
      </p>
    </div>
  );
}
