import type { DiffFile } from "@grove/schemas";
import { useQueries } from "@tanstack/react-query";
import { useCallback, useMemo, useState } from "react";
import { batchesOf } from "./batches";

/** Loads the patches of some files. */
type Load = (files: readonly DiffFile[], signal: AbortSignal) => Promise<DiffFile[]>;

interface PatchOptions {
  files: readonly DiffFile[];
  /** The files whose patches came with the list. */
  known: readonly DiffFile[];
  /** Changes when the files do. */
  version: string;
  load: Load;
}

/** Loads the patches of files in batches, as the files come into view. */
export function usePatches({ files, known, version, load }: PatchOptions) {
  const batches = useMemo(() => {
    const paths = new Set(known.map(({ path }) => path));
    return batchesOf(files.filter(({ path }) => !paths.has(path)));
  }, [files, known]);
  const batchOf = useMemo(
    () => new Map(batches.flatMap((batch, at) => batch.map(({ path }) => [path, at] as const))),
    [batches],
  );
  const [wanted, setWanted] = useState<ReadonlySet<number>>(new Set(known.length > 0 ? [] : [0]));
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
      byPath: new Map([...known, ...all.flatMap(({ data = [] }) => data)].map((file) => [file.path, file])),
      error: all.find(({ error }) => error)?.error ?? null,
      retry: () => void Promise.all(all.filter(({ error }) => error).map((each) => each.refetch())),
    }),
  });
  return { ...answers, want };
}

export type Patches = ReturnType<typeof usePatches>;
