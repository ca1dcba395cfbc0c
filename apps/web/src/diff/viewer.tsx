import type { DiffFile } from "@grove/schemas";
import type { CodeViewDiffItem } from "@pierre/diffs";
import { CodeView, WorkerPoolContextProvider } from "@pierre/diffs/react";
import { Suspense, useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import { lazily } from "../lib/lazily";
import { useTheme } from "../lib/theme";
import { HoldKeys } from "../shortcuts/holdKeys";
import { useShortcuts } from "../shortcuts/shortcuts";
import { Problem } from "../ui/problem";
import { keepInAddress, type Place } from "./address";
import { hasPatch } from "./batches";
import { hasOnlyLineEndings, hiddenOf, markHidden } from "./hidden";
import "./diff.css";
import { FileList } from "./fileList";
import { FileHeader, HEADER_PX } from "./header";
import { changesOf } from "./hunks";
import { toFileDiff } from "./item";
import { Missing } from "./missing";
import { POOL, THEME } from "./pool";
import type { Handle } from "./select";
import type { Settings } from "./settings";
import { useEnter } from "./useEnter";
import type { Patches } from "./usePatches";
import { useAddress, usePlace } from "./usePlace";
import { markViewed, viewedOf } from "./viewed";

export { startPool } from "./pool";

const loadFindBar = async () => (await import("./findBar")).FindBar;
const FindBar = lazily(loadFindBar);
const Selecting = lazily(async () => (await import("./selecting")).Selecting);

interface ViewerProps {
  workspaceId: string;
  /** In the order of the list. */
  files: readonly DiffFile[];
  patches: Patches;
  settings: Settings;
  onSettings: (change: Partial<Settings>) => void;
  /** The file to begin with, in place of the one that the address names. */
  startAt: string | undefined;
  /** The file that is read now. */
  onRead: (path: string) => void;
  /** Takes the quote of lines to an agent. */
  onAsk: (quote: string) => void;
  /** The words for that. */
  ask: string;
}

/** The changes of all files in one scroll, beside the list of files. */
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
  /** After a key has chosen a file, its place says nothing: the last files never reach the top. */
  const scrollsFreely = useRef(true);

  /** An item stays the same object until it changes: for another one, the viewer lays out all of them again. */
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

  const look = useCallback(
    (top: number, height: number, topOf: (id: string) => number | undefined) => {
      // The last file that begins at or above the top of the view.
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
    scrollsFreely.current = false;
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
    scrollsFreely.current = false;
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
  /** The file whose lines are selected is the one that is read, wherever in the view it is. */
  const onSelect = (lines: typeof selection) => {
    setSelection(lines);
    if (!lines) return;
    scrollsFreely.current = false;
    setCurrent(byId.get(lines.id)?.index ?? current);
  };
  const showFile = (path: string) => {
    scrollsFreely.current = false;
    hunk.current = -1;
    setCurrent(byId.get(path)?.index ?? current);
    if (folded.has(path)) fold(path, false);
  };
  const [isFinding, setFinding] = useState(false);
  useEffect(() => {
    // It is there before somebody types into it, mostly.
    loadFindBar().catch(() => undefined);
  }, []);
  const closeFind = () => {
    setFinding(false);
    regionNode.current?.focus();
  };
  const [missing, setMissing] = useState<string>();
  /** The place whose lines are to be selected as soon as they are there. */
  const [place, setPlace] = useState<Place>();
  const open = ({ path, lines }: Place) => {
    const found = files.find((each) => each.path === path) ?? files.find(({ oldPath }) => oldPath === path);
    setMissing(found ? undefined : path);
    if (!found) return setAnnouncement(`${path} is not among these changes`);
    fold(found.path, false);
    goTo(files.indexOf(found));
    regionNode.current?.focus({ preventScroll: true });
    setPlace(lines && { path: found.path, lines });
  };
  usePlace(open, () => {
    const index = files.findIndex(({ path }) => path === startAt);
    if (index > 0) goTo(index);
    return startAt !== undefined;
  });
  const file = files[current];
  useAddress(file?.path);
  const askAgent = (quote: string) => {
    // The agent's page opens before the address follows, and the way back leads here.
    if (file) keepInAddress(file.path);
    onAsk(quote);
  };
  const read = useEffectEvent(onRead);
  useEffect(() => {
    if (file) read(file.path);
  }, [file]);
  const toggleFold = () => file && fold(file.path);
  useEnter(toggleFold);
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
  const free = () => {
    scrollsFreely.current = true;
  };
  useEffect(() => {
    const instance = view.current?.getInstance();
    if (instance) look(instance.getScrollTop(), instance.getHeight(), (id) => instance.getTopForItem(id));
  });

  return (
    <div className="flex min-h-0 flex-1">
      <FileList files={files} viewed={viewed} current={current} onChoose={goTo} />
      <div
        className="grove-diff relative flex min-w-0 flex-1 flex-col"
        onWheel={free}
        onPointerDown={free}
        onTouchMove={free}
      >
        {missing !== undefined && <Missing path={missing} onClose={() => setMissing(undefined)} />}
        {error && <Problem title="Some changes could not be read." error={error} onRetry={retry} />}
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
              const at = look(top, instance.getHeight(), (id) => instance.getTopForItem(id));
              if (scrollsFreely.current) setCurrent(at);
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
                    hidden={hiddenOf(byPath.get(id) ?? found.file)}
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
                if (phase !== "unmount" && of && hiddenOf(of) > 0) markHidden(node);
              },
              layout: { paddingTop: 0, paddingBottom: 8, gap: 8 },
            }}
          />
        </WorkerPoolContextProvider>
        <Suspense>
          <Selecting
            {...{ view, selection, diffOf, ask }}
            onAsk={askAgent}
            place={place && byPath.has(place.path) ? place : undefined}
            onPlaced={() => setPlace(undefined)}
            current={file && !folded.has(file.path) ? file.path : undefined}
            onMove={(words) => {
              scrollsFreely.current = false;
              setAnnouncement(words);
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
