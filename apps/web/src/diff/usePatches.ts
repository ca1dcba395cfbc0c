import type { DiffFile } from "@grove/schemas";
import { useQueries } from "@tanstack/react-query";
import { useCallback, useMemo, useState } from "react";
import { batchesOf } from "./batches";

/** Asks for the patches of some files. */
export type Load = (files: readonly DiffFile[], signal: AbortSignal) => Promise<DiffFile[]>;

/**
 * The patches of files that have come into view, read in batches.
 * @param version changes when the files do
 */
export function usePatches(files: readonly DiffFile[], version: string, load: Load) {
  const batches = useMemo(() => batchesOf(files), [files]);
  const batchOf = useMemo(
    () => new Map(batches.flatMap((batch, at) => batch.map(({ path }) => [path, at] as const))),
    [batches],
  );
  const [wanted, setWanted] = useState<ReadonlySet<number>>(new Set([0]));
  const want = useCallback(
    (paths: readonly string[]) => {
      const more = paths.flatMap((path) => batchOf.get(path) ?? []);
      setWanted((before) => (more.every((at) => before.has(at)) ? before : new Set([...before, ...more])));
    },
    [batchOf],
  );
  const answers = useQueries({
    queries: batches.map((batch, at) => ({
      queryKey: ["patches", version, at],
      queryFn: ({ signal }: { signal: AbortSignal }) => load(batch, signal),
      enabled: wanted.has(at),
      staleTime: Number.POSITIVE_INFINITY,
      retry: false,
    })),
    combine: (all) => ({
      byPath: new Map(all.flatMap(({ data = [] }) => data.map((file) => [file.path, file] as const))),
      error: all.find(({ error }) => error)?.error ?? null,
      retry: () => void Promise.all(all.filter(({ error }) => error).map((each) => each.refetch())),
    }),
  });
  return { ...answers, want };
}

export type Patches = ReturnType<typeof usePatches>;
