import { useQueryClient } from "@tanstack/react-query";
import { RefreshCw } from "lucide-react";
import { useEffect, useRef } from "react";
import { useShortcuts } from "../shortcuts/useShortcuts";
import { IconButton } from "../ui/button";
import { onKeys } from "../ui/inputMethod";
import { FileTree } from "./fileTree";
import { FileViewer } from "./fileViewer";
import { SearchField } from "./searchField";
import { SearchResults } from "./searchResults";
import { useFileSearch } from "./useFileSearch";
import { useTree } from "./useTree";
import type { Worktree } from "./worktree";

const fileTools: unknown[] = ["list_files", "read_file", "search_files"];

interface FilesProps {
  worktree: Worktree;
  /** The open file and line, from the URL. */
  file: string | undefined;
  line: number | undefined;
  /** Opens a file, or closes it if the path is undefined. */
  onOpen: (path: string | undefined, line?: number) => void;
  editorUrlOf: (path: string, line?: number) => string | undefined;
}

/** The files of a worktree, read-only: a tree with a search, and the open file. A narrow one shows either. */
export function Files({ worktree, file, line, onOpen, editorUrlOf }: FilesProps) {
  const queryClient = useQueryClient();
  const tree = useTree(worktree, file);
  const search = useFileSearch(worktree);
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const viewer = useRef<HTMLElement>(null);
  /** The part to focus after the next change of the file. Until then, a narrow page hides it. */
  const focusNext = useRef<"list" | "viewer">(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when another place is opened.
  useEffect(() => {
    if (focusNext.current === "viewer") viewer.current?.focus({ preventScroll: true });
    if (focusNext.current === "list") focusList();
    focusNext.current = undefined;
  }, [file, line]);
  const focusList = () => (list.current?.querySelector<HTMLElement>("[role=tree]") ?? field.current)?.focus();
  const open = (path: string, at?: number) => {
    if (path === file && at === line) return viewer.current?.focus();
    focusNext.current = "viewer";
    onOpen(path, at);
  };
  const close = () => {
    focusNext.current = "list";
    onOpen(undefined);
  };
  useShortcuts({
    title: "Files",
    scope: "page",
    shortcuts: [{ keys: "/", title: "Search the files", run: () => field.current?.focus() }],
  });
  const refresh = () =>
    void queryClient.invalidateQueries({
      predicate: ({ queryKey: [kind, deviceId, tool] }) =>
        kind === "deviceTool" && deviceId === worktree.target.deviceId && fileTools.includes(tool),
    });
  return (
    <div className="@container flex min-h-0 flex-1">
      <div
        ref={list}
        className={`${file === undefined ? "flex" : "hidden @lg:flex"} w-full shrink-0 flex-col border-line @lg:w-60 @lg:border-r`}
      >
        <div className="flex items-start pr-1">
          <div className="min-w-0 flex-1">
            <SearchField ref={field} search={search} onLeave={focusList} />
          </div>
          <span className="flex pt-2">
            <IconButton label="Refresh the files" onClick={refresh}>
              <RefreshCw aria-hidden="true" className="size-4" />
            </IconButton>
          </span>
        </div>
        {search.text === "" ? (
          <FileTree tree={tree} file={file} onOpenFile={open} />
        ) : (
          <SearchResults query={search.query} result={search.result} onOpenFile={open} />
        )}
      </div>
      <section
        ref={viewer}
        aria-label="File"
        tabIndex={-1}
        onKeyDown={onKeys((event) => {
          if (event.key !== "Escape" || event.defaultPrevented) return;
          event.preventDefault();
          if (list.current?.offsetParent) focusList();
          else close();
        })}
        className={`${file === undefined ? "hidden @lg:flex" : "flex"} min-w-0 flex-1 flex-col outline-none`}
      >
        {file === undefined ? (
          <p className="p-4 text-muted">Select a file to read it.</p>
        ) : (
          <FileViewer
            key={file}
            worktree={worktree}
            line={line}
            editorUrlOf={editorUrlOf}
            path={file}
            onLine={(next) => onOpen(file, next)}
            onClose={close}
          />
        )}
      </section>
    </div>
  );
}
