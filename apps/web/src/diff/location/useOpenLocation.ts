import type { DiffFile } from "@grove/schemas";
import { useState } from "react";
import type { Navigation } from "../fileList/useFileNavigation";
import type { FoldedFiles } from "../fileList/useFoldedFiles";
import type { DiffLocation } from "./urlFragment";
import { useUrlFragment } from "./useUrlFragment";

interface LocationOptions {
  files: readonly DiffFile[];
  initialPath: string | undefined;
  navigation: Navigation;
  fold: FoldedFiles["fold"];
  focusChanges: () => void;
}

/** Opens the file in the URL. Returns its path if it is missing, and the lines to select once they are loaded. */
export function useOpenLocation({ files, initialPath, navigation, fold, focusChanges }: LocationOptions) {
  const { goTo, announce } = navigation;
  const [missingPath, setMissingPath] = useState<string>();
  const [target, setTarget] = useState<DiffLocation>();
  const open = ({ path, lines }: DiffLocation) => {
    const file = files.find((each) => each.path === path) ?? files.find(({ oldPath }) => oldPath === path);
    setMissingPath(file ? undefined : path);
    if (!file) return announce(`${path} is not part of these changes`);
    fold(file.path, false);
    goTo(files.indexOf(file));
    focusChanges();
    setTarget(lines && { path: file.path, lines });
  };
  useUrlFragment(open, () => {
    const index = files.findIndex(({ path }) => path === initialPath);
    if (index > 0) goTo(index);
    return initialPath !== undefined;
  });
  return {
    missingPath,
    target,
    closeMissing: () => setMissingPath(undefined),
    clearTarget: () => setTarget(undefined),
  };
}
