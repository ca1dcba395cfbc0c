import type { DiffFile } from "@grove/schemas";
import { visibleName } from "@grove/schemas";
import { ChevronDown, ChevronRight, MessageSquare } from "lucide-react";
import { IconButton } from "../../ui/button";
import { CopyButton } from "../../ui/copyButton";
import { pluralize } from "../../ui/pluralize";
import { VisibleName } from "../../ui/visibleName";
import { linkTo } from "../location/urlFragment";
import { noteOf, statuses } from "./fileLabels";

/** The height of a file's header in pixels. The viewer's layout depends on it. */
export const HEADER_PX = 36;

interface FileHeaderProps {
  file: DiffFile;
  isFolded: boolean;
  isViewed: boolean;
  isCurrent: boolean;
  isLoading: boolean;
  /** The loaded patch; null if there is none yet. */
  patch: string | null;
  /** The number of hidden characters in the file's changed lines. */
  hidden: number;
  /** The number of conflicts in the file's added lines. */
  conflicts: number;
  hasOnlyLineEndings: boolean;
  onFold: () => void;
  onView: (isViewed: boolean) => void;
  onOpen: () => void;
  onComment: () => void;
}

export function FileHeader({
  file,
  isFolded,
  isViewed,
  isCurrent,
  isLoading,
  patch,
  hidden,
  conflicts,
  hasOnlyLineEndings,
  ...on
}: FileHeaderProps) {
  const { onFold, onView, onOpen, onComment } = on;
  const { path, status, insertions, deletions } = file;
  const note = isLoading ? "Loading…" : noteOf({ ...file, patch });
  return (
    <div
      style={{ height: HEADER_PX }}
      className={`flex items-center gap-2 border-line border-y bg-raised pr-3 pl-1 font-sans text-sm ${isCurrent ? "shadow-[inset_2px_0_0_var(--color-accent)]" : ""}`}
    >
      <FoldButton file={file} isFolded={isFolded} isViewed={isViewed} onFold={onFold} />
      <LineCounts insertions={insertions} deletions={deletions} />
      {conflicts > 0 && (
        <span className="shrink-0 font-medium text-warn">{pluralize(conflicts, "conflict")}</span>
      )}
      {hidden > 0 && (
        <span className="min-w-0 truncate text-warn">Contains {pluralize(hidden, "hidden character")}</span>
      )}
      {hasOnlyLineEndings && <span className="shrink-0 text-muted">Line endings only</span>}
      {note && <span className="min-w-0 truncate text-muted">{note}</span>}
      {status !== "deleted" && (file.binary || file.omitted === "too_large") && (
        <button
          type="button"
          onClick={onOpen}
          className="shrink-0 cursor-pointer text-accent hover:underline"
        >
          Open the file
        </button>
      )}
      <span className="-my-1 ml-auto flex shrink-0">
        <span className="flex max-sm:hidden">
          <CopyButton text={linkTo({ path })} label={`Copy a link to ${visibleName(path)}`} />
        </span>
        <IconButton label={`Comment on ${visibleName(path)}`} onClick={onComment}>
          <MessageSquare aria-hidden="true" className="size-4" />
        </IconButton>
      </span>
      <label className="flex h-7 shrink-0 cursor-pointer items-center gap-1.5 text-muted">
        <input
          type="checkbox"
          aria-label={`Viewed: ${visibleName(path)}`}
          checked={isViewed}
          onChange={(event) => onView(event.target.checked)}
          className="size-3.5"
        />
        Viewed
      </label>
    </div>
  );
}

type FoldButtonProps = Pick<FileHeaderProps, "file" | "isFolded" | "isViewed" | "onFold">;

function FoldButton({ file: { path, oldPath, status }, isFolded, isViewed, onFold }: FoldButtonProps) {
  const Chevron = isFolded ? ChevronRight : ChevronDown;
  return (
    <button
      type="button"
      aria-expanded={!isFolded}
      onClick={onFold}
      className="flex h-7 min-w-28 cursor-pointer items-center gap-1.5 rounded px-1 hover:bg-hover"
    >
      <Chevron aria-hidden="true" className="size-4 shrink-0 text-muted" />
      <StatusLetter status={status} />
      <span className={`truncate font-mono ${isViewed ? "text-muted" : ""}`} title={visibleName(path)}>
        {oldPath !== null && (
          <>
            <VisibleName>{oldPath}</VisibleName>
            <span className="text-muted"> → </span>
          </>
        )}
        <VisibleName>{path}</VisibleName>
      </span>
    </button>
  );
}

const tones: Partial<Record<DiffFile["status"], string>> = {
  added: "text-accent",
  untracked: "text-accent",
  deleted: "text-danger",
  unmerged: "text-danger",
};

/** The kind of a change as a letter, with its label as a title and for screen readers. */
export const StatusLetter = ({ status }: Pick<DiffFile, "status">) => (
  <span
    title={statuses[status].label}
    className={`w-4 shrink-0 text-center font-mono font-semibold ${tones[status] ?? "text-muted"}`}
  >
    <span aria-hidden="true">{statuses[status].letter}</span>
    <span className="sr-only">{statuses[status].label}: </span>
  </span>
);

export const LineCounts = ({ insertions, deletions }: Pick<DiffFile, "insertions" | "deletions">) => (
  <span className="flex shrink-0 gap-1.5 font-mono text-xs">
    {insertions > 0 && <span className="text-accent">+{insertions}</span>}
    {deletions > 0 && <span className="text-danger">−{deletions}</span>}
  </span>
);
