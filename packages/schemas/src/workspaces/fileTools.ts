import { MINUTE_MS, RESULT_KEPT_MS } from "../durations";
import {
  foundInFiles,
  listedFiles,
  listFilesParams,
  readFileParams,
  readFileResult,
  searchFilesParams,
} from "./workspaceFiles";

/** The tools that read the files of a worktree; see `deviceTools`. */
export const fileTools = {
  /** Lists one directory of a worktree. */
  list_files: {
    params: listFilesParams,
    result: listedFiles,
    timeoutMs: MINUTE_MS,
    readOnly: true,
    keptMs: RESULT_KEPT_MS,
  },
  /** Reads a part of a file of a worktree. */
  read_file: {
    params: readFileParams,
    result: readFileResult,
    timeoutMs: MINUTE_MS,
    readOnly: true,
    keptMs: RESULT_KEPT_MS,
  },
  /** Searches a worktree by file path or by content. */
  search_files: {
    params: searchFilesParams,
    result: foundInFiles,
    timeoutMs: MINUTE_MS,
    readOnly: true,
    keptMs: RESULT_KEPT_MS,
  },
} as const;
