import type { DiffFile } from "@grove/schemas";
import { useShortcuts } from "../shortcuts/useShortcuts";
import type { DiffSettings } from "./diffSettings";
import type { Navigation } from "./fileList/useFileNavigation";
import type { FoldedFiles } from "./fileList/useFoldedFiles";
import type { ViewedFiles } from "./fileList/useViewedFiles";
import { useEnterKey } from "./selection/useEnterKey";

interface ShortcutOptions {
  navigation: Navigation;
  viewedFiles: ViewedFiles;
  fold: FoldedFiles["fold"];
  settings: DiffSettings;
  onSettings: (change: Partial<DiffSettings>) => void;
  onFind: () => void;
  /** Called to comment on the current file. */
  onComment: (file: DiffFile) => void;
}

export function useDiffShortcuts({ navigation, viewedFiles, fold, settings, ...on }: ShortcutOptions): void {
  const { onSettings, onFind, onComment } = on;
  const { current, file, goTo, goToHunk } = navigation;
  useEnterKey(() => file && fold(file.path));
  useShortcuts({
    title: "Diff",
    scope: "page",
    shortcuts: [
      { keys: "j", title: "Next file", run: () => goTo(current + 1) },
      { keys: "k", title: "Previous file", run: () => goTo(current - 1) },
      { keys: "n", title: "Next change", run: () => goToHunk(1) },
      { keys: "p", title: "Previous change", run: () => goToHunk(-1) },
      { keys: "C", title: "Comment on the file", run: () => file && onComment(file) },
      { keys: "Enter", title: "Collapse the file" },
      { keys: "/", title: "Find in the changes", run: onFind },
      {
        keys: "v",
        title: "Mark the file as viewed",
        run: () => file && viewedFiles.setIsViewed(file, !viewedFiles.viewed.has(file.path)),
      },
      {
        keys: "u",
        title: "Switch between side by side and inline",
        run: () => onSettings({ layout: settings.layout === "split" ? "unified" : "split" }),
      },
    ],
  });
}
