import type { DiffFile } from "@grove/schemas";
import type { CodeViewDiffItem, FileDiffMetadata } from "@pierre/diffs";
import { CodeView, WorkerPoolContextProvider } from "@pierre/diffs/react";
import { type ComponentProps, type RefCallback, type RefObject, useMemo } from "react";
import { useTheme } from "../lib/browser/theme";
import type { DiffSettings } from "./diffSettings";
import { FileHeader, HEADER_PX } from "./fileList/fileHeader";
import type { FoldedFiles } from "./fileList/useFoldedFiles";
import type { ViewedFiles } from "./fileList/useViewedFiles";
import { hasOnlyLineEndings, hiddenCharactersIn, markHidden } from "./hiddenCharacters";
import { conflictsIn, markConflicts } from "./patch/conflicts";
import { labelExpandButtons, loadSides, STEP } from "./patch/expandContext";
import { hasPatch } from "./patch/patchBatches";
import { Pictures } from "./pictures";
import type { ViewHandle } from "./selection/selectLines";
import type { DiffSource } from "./source";
import { THEME } from "./syntaxTheme";
import type { Patches } from "./usePatches";
import { addViewerStyles } from "./viewerStyles";
import { POOL } from "./workerPool";

type CodeViewProps = ComponentProps<typeof CodeView<undefined, undefined>>;

interface ChangesProps {
  view: RefObject<ViewHandle | null>;
  region: RefCallback<HTMLDivElement>;
  files: readonly DiffFile[];
  items: CodeViewDiffItem[];
  patches: Patches;
  foldedFiles: FoldedFiles;
  viewedFiles: ViewedFiles;
  current: number;
  settings: DiffSettings;
  source: DiffSource;
  onOpenFile: (path: string) => void;
  onComment: (file: DiffFile) => void;
  onSelect: CodeViewProps["onSelectedLinesChange"];
  onScroll: CodeViewProps["onScroll"];
}

/** The scroll area with the changes of all files. */
export function Changes({ view, region, files, items, patches, current, ...more }: ChangesProps) {
  const { foldedFiles, viewedFiles, settings, source, onOpenFile, onComment, onSelect, onScroll } = more;
  const theme = useTheme();
  const { byPath, error } = patches;
  const byId = useMemo(() => new Map(files.map((file, index) => [file.path, { file, index }])), [files]);
  const renderHeader = (id: string) => {
    const found = byId.get(id);
    if (!found) return undefined;
    const { file, index } = found;
    const loaded = byPath.get(id);
    return (
      <FileHeader
        file={loaded?.omitted ? { ...file, omitted: loaded.omitted } : file}
        isFolded={foldedFiles.folded.has(id)}
        isViewed={viewedFiles.viewed.has(id)}
        isCurrent={index === current}
        patch={loaded?.patch ?? null}
        hidden={hiddenCharactersIn(loaded ?? file)}
        conflicts={conflictsIn(loaded ?? file)}
        hasOnlyLineEndings={hasOnlyLineEndings(loaded ?? file)}
        isLoading={hasPatch(file) && !loaded && !error}
        onFold={() => foldedFiles.fold(id)}
        onView={(isViewed) => viewedFiles.setIsViewed(file, isViewed)}
        onOpen={() => onOpenFile(file.path)}
        onComment={() => onComment(file)}
      />
    );
  };
  const renderPictures = (id: string) => {
    const file = byId.get(id)?.file;
    return file && <Pictures source={source} file={file} />;
  };
  const loadDiffFiles = async (diff: FileDiffMetadata) => {
    const file = byId.get(diff.name)?.file;
    if (!file) throw new Error(`${diff.name} is no longer among the changes.`);
    return loadSides(source, file, diff);
  };
  return (
    <WorkerPoolContextProvider {...POOL}>
      <CodeView
        ref={view}
        containerRef={region}
        className="min-h-0 flex-1 overflow-auto"
        items={items}
        onSelectedLinesChange={onSelect}
        onScroll={onScroll}
        renderCustomHeader={({ id }) => renderHeader(id)}
        renderAnnotation={(_annotation, _diff, { id }) => renderPictures(id)}
        options={{
          theme: THEME,
          themeType: theme,
          diffStyle: settings.layout,
          overflow: settings.wrap ? "wrap" : "scroll",
          stickyHeaders: true,
          hunkSeparators: "line-info",
          expansionLineCount: STEP,
          loadDiffFiles,
          enableLineSelection: true,
          itemMetrics: { diffHeaderHeight: HEADER_PX },
          onPostRender: (node, instance, phase) => {
            const path = "fileDiff" in instance ? instance.fileDiff?.name : undefined;
            const of = path === undefined ? undefined : byPath.get(path);
            if (phase === "unmount") return;
            addViewerStyles(node);
            labelExpandButtons(node);
            if (of && hiddenCharactersIn(of) > 0) markHidden(node);
            if (of && conflictsIn(of) > 0) markConflicts(node);
          },
          layout: { paddingTop: 0, paddingBottom: 8, gap: 8 },
        }}
      />
    </WorkerPoolContextProvider>
  );
}
