import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { ReadDiff } from "../../diff/patch/splitDiff";
import { WORKSPACE_POLL_MS } from "../../lib/queries/pollIntervals";
import { type DiffInput, diffQuery } from "./diffQuery";

interface DiffSnapshot extends ReadDiff {
  /** When the device returned it, in milliseconds. */
  readAt: number;
}

/** Polls the workspace's diff. Keeps the version on screen until the user loads a newer one. */
export function useDiffSnapshot(input: DiffInput) {
  const { data, dataUpdatedAt, error, refetch } = useQuery({
    ...diffQuery(input),
    refetchInterval: WORKSPACE_POLL_MS,
  });
  const [snapshot, setSnapshot] = useState<DiffSnapshot>();
  // An empty diff is replaced immediately: the user is reading nothing.
  if (data && (!snapshot || (snapshot.diff.files.length === 0 && data.diff !== snapshot.diff)))
    setSnapshot({ ...data, readAt: dataUpdatedAt });
  return {
    snapshot,
    error,
    retry: () => void refetch(),
    // React Query keeps the object's identity while the answer is equal.
    isOutdated: snapshot !== undefined && data !== undefined && data.diff !== snapshot.diff,
    showCurrent: () => data && setSnapshot({ ...data, readAt: dataUpdatedAt }),
    /** Refetches the diff, and returns whether it equals the shown one. */
    isCurrent: async () => {
      const { data: current } = await refetch();
      return current !== undefined && current.diff === snapshot?.diff;
    },
    refresh: async () => {
      const { data: current, dataUpdatedAt: readAt } = await refetch();
      if (current && current.diff !== snapshot?.diff) setSnapshot({ ...current, readAt });
    },
  };
}
