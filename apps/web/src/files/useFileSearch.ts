import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useDebounced } from "../hooks/useDebounced";
import { toolQuery } from "../lib/commands/deviceTools";
import type { Worktree } from "./worktree";

export type SearchIn = "contents" | "names";

/** A search in a worktree's files, which runs while the user types. */
export function useFileSearch({ target, workspaceId }: Worktree) {
  const [text, setText] = useState("");
  const [searchIn, setSearchIn] = useState<SearchIn>("contents");
  const query = useDebounced(text);
  const result = useQuery({
    ...toolQuery(target, "search_files", { workspaceId, query, in: searchIn, matchCase: false }),
    enabled: query !== "",
    placeholderData: keepPreviousData,
  });
  return { text, setText, searchIn, setSearchIn, query, result };
}
