import { visibleName } from "@grove/schemas";
import { FileQuestion } from "lucide-react";
import { Suspense } from "react";
import { lazily } from "../lib/browser/lazily";
import { Button } from "../ui/button";
import { EmptyState } from "../ui/emptyState";
import { Problem } from "../ui/problem";
import { fileSize } from "./fileSize";
import { FileToolbar } from "./fileToolbar";
import { useFileContent } from "./useFileContent";
import type { Worktree } from "./worktree";

const TextFile = lazily(async () => (await import("../diff/textFile")).TextFile);

interface FileViewerProps {
  worktree: Worktree;
  path: string;
  line: number | undefined;
  /** Returns the URL that opens the file in the user's editor, if the editor supports one. */
  editorUrlOf: (path: string, line?: number) => string | undefined;
  onLine: (line: number) => void;
  onClose: () => void;
}

/** An open file: its text in parts, its picture, or its size. */
export function FileViewer({ worktree, path, line, editorUrlOf, onLine, onClose }: FileViewerProps) {
  const content = useFileContent(worktree, path, line);
  const { file } = content;
  return (
    <>
      <FileToolbar
        path={path}
        size={file?.size}
        editorUrl={editorUrlOf(path, line)}
        onLine={file?.kind === "text" ? onLine : undefined}
        onClose={onClose}
      />
      <Content content={content} path={path} line={line} onLine={onLine} />
    </>
  );
}

interface ContentProps extends Pick<FileViewerProps, "path" | "line" | "onLine"> {
  content: ReturnType<typeof useFileContent>;
}

function Content({ content, path, line, onLine }: ContentProps) {
  const { file, text, version, error, isMissingLine } = content;
  if (!file)
    return (
      <div className="p-4">
        {error ? (
          <Problem title="Could not read the file." error={error} onRetry={content.retry} />
        ) : (
          <p role="status" className="text-muted">
            Loading the file…
          </p>
        )}
      </div>
    );
  if (file.image)
    return (
      <div className="flex min-h-0 flex-1 items-start justify-center overflow-auto p-4">
        <img
          src={`data:${file.image.mediaType};base64,${file.image.base64}`}
          alt={visibleName(path)}
          className="max-w-full border border-line bg-raised"
        />
      </div>
    );
  if (file.kind !== "text" || file.size === 0)
    return (
      <div className="p-4">
        {file.size === 0 ? (
          <p className="text-muted">This file is empty.</p>
        ) : (
          <EmptyState icon={FileQuestion} title={isPicture(path) ? "Too large to show" : "Binary file"}>
            This file has {fileSize(file.size)}. Open it on its machine.
          </EmptyState>
        )}
      </div>
    );
  return (
    <>
      {error && <Problem title="Could not read the file." error={error} onRetry={content.loadMore} />}
      <Suspense fallback={<div className="flex-1" />}>
        <TextFile
          path={path}
          text={text}
          version={version}
          line={isMissingLine ? undefined : line}
          onLine={onLine}
        />
      </Suspense>
      {content.hasNextPage && (
        <p className="flex flex-wrap items-center gap-3 border-line border-t px-3 py-1.5 text-muted text-sm">
          The first {fileSize(new Blob([text]).size)} of {fileSize(file.size)}
          <Button busy={content.isFetching} onClick={content.loadMore}>
            Load more
          </Button>
        </p>
      )}
    </>
  );
}

const isPicture = (path: string) => /\.(png|jpe?g|gif|webp)$/i.test(path);
