import type { DiffFile } from "@grove/schemas";

/** Memoizes a function per file, since headers are rendered often and patches may be long. */
export function memoizePerFile<T>(compute: (file: DiffFile) => T): (file: DiffFile) => T {
  const cache = new WeakMap<DiffFile, { value: T }>();
  return (file) => {
    const entry = cache.get(file) ?? { value: compute(file) };
    cache.set(file, entry);
    return entry.value;
  };
}
