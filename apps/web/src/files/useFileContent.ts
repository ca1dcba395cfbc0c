import type { ReadFile } from "@grove/schemas";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { runTool } from "../lib/commands/deviceTools";
import type { Worktree } from "./worktree";

/**
 * Reads a file in parts.
 * @param line a line of a text. Parts are read until they contain it.
 */
export function useFileContent({ target, workspaceId }: Worktree, path: string, line: number | undefined) {
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetching, dataUpdatedAt } = useInfiniteQuery({
    queryKey: ["deviceTool", target.deviceId, "read_file", { workspaceId, path }, "parts"],
    queryFn: ({ pageParam, signal }): Promise<ReadFile> =>
      runTool(target, "read_file", { workspaceId, path, offset: pageParam }, { signal }),
    initialPageParam: 0,
    getNextPageParam: ({ nextOffset }) => nextOffset,
    staleTime: 30_000,
    retry: false,
  });
  const text = data?.pages.map((part) => part.text ?? "").join("") ?? "";
  const isMissingLine = line !== undefined && hasNextPage && text.split("\n", line + 1).length <= line;
  useEffect(() => {
    if (isMissingLine && !isFetching && !error) void fetchNextPage();
  }, [isMissingLine, isFetching, error, fetchNextPage]);
  return {
    /** The first part, which has the file's kind and size. */
    file: data?.pages[0],
    text,
    isMissingLine,
    error,
    hasNextPage,
    isFetching,
    /** Identifies the text: a changed text has another version. */
    version: `${dataUpdatedAt} ${data?.pages.length}`,
    retry: () => void refetch(),
    loadMore: () => void fetchNextPage(),
  };
}
