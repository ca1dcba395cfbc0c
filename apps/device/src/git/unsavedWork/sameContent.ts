import { lstat, open } from "node:fs/promises";

const CHUNK_BYTES = 256 * 1024;

/**
 * Whether two plain files have the same content.
 * @param maxBytes larger files count as different, without being read
 */
export async function hasSameContent(one: string, other: string, maxBytes: number): Promise<boolean> {
  const [a, b] = await Promise.all([one, other].map((path) => lstat(path).catch(() => undefined)));
  if (!a?.isFile() || !b?.isFile() || a.size !== b.size || a.size > maxBytes) return false;
  const files = await Promise.all([open(one), open(other)]);
  try {
    for (let at = 0; at < a.size; at += CHUNK_BYTES) {
      const [left, right] = await Promise.all(
        files.map(async (file) => {
          const { buffer, bytesRead } = await file.read(Buffer.alloc(CHUNK_BYTES), 0, CHUNK_BYTES, at);
          return buffer.subarray(0, bytesRead);
        }),
      );
      if (!left || !right || !left.equals(right)) return false;
    }
    return true;
  } finally {
    await Promise.all(files.map((file) => file.close()));
  }
}
