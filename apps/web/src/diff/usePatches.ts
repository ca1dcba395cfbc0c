import type { DiffFile } from "@grove/schemas";
import { useQueries } from "@tanstack/react-query";
import { useCallback, useMemo, useState } from "react";
import { batchesOf } from "./patch/patchBatches";

/** Loads the patches of some files. */
type Load = (files: readonly DiffFile[], signal: AbortSignal) => Promise<DiffFile[]>;

interface PatchesOptions {
  files: readonly DiffFile[];
  /** The files whose patches came with the list. */
  initialPatches: readonly DiffFile[];
  /** Changes when the files do. */
  version: string;
  load: Load;
}

/** Loads the patches of files in batches, as the files come into view. */
export function usePatches({ files, initialPatches, version, load }: PatchesOptions) {
  const batches = useMemo(() => {
    const paths = new Set(initialPatches.map(({ path }) => path));
    return batchesOf(files.filter(({ path }) => !paths.has(path)));
  }, [files, initialPatches]);
  const batchOf = useMemo(
    () => new Map(batches.flatMap((batch, index) => batch.map(({ path }) => [path, index] as const))),
    [batches],
  );
  const [requested, setRequested] = useState<ReadonlySet<number>>(
    new Set(initialPatches.length > 0 ? [] : [0]),
  );
  const requestPatches = useCallback(
    (paths: readonly string[]) => {
      const indexes = paths.flatMap((path) => batchOf.get(path) ?? []);
      setRequested((before) =>
        indexes.every((index) => before.has(index)) ? before : new Set([...before, ...indexes]),
      );
    },
    [batchOf],
  );
  const results = useQueries({
    queries: batches.map((batch, index) => ({
      queryKey: ["patches", version, index],
      queryFn: ({ signal }: { signal: AbortSignal }) => load(batch, signal),
      enabled: requested.has(index),
      staleTime: Number.POSITIVE_INFINITY,
      retry: false,
    })),
    combine: (all) => ({
      byPath: new Map(
        [...initialPatches, ...all.flatMap(({ data = [] }) => data)].map((file) => [file.path, file]),
      ),
      error: all.find(({ error }) => error)?.error ?? null,
      retry: () => void Promise.all(all.filter(({ error }) => error).map((each) => each.refetch())),
    }),
  });
  return { ...results, requestPatches };
}

export type Patches = ReturnType<typeof usePatches>;
