/** The end of a log. */
export interface LogTail {
  text: string;
  /** The number of lines before the text, which were read but not kept. */
  linesBefore: number;
}

/** A longer log is not read to its end. */
const MAX_LOG_BYTES = 25 * 1024 * 1024;
const KEPT_BYTES = 1024 * 1024;

/**
 * Reads a log as it arrives, and keeps only its end.
 * @returns undefined if the log is longer than {@link MAX_LOG_BYTES}
 */
export async function readLogTail(body: AsyncIterable<Uint8Array>): Promise<LogTail | undefined> {
  let kept: Uint8Array[] = [];
  let keptBytes = 0;
  let allBytes = 0;
  let linesBefore = 0;
  const trim = () => {
    const bytes = Buffer.concat(kept);
    // Whole lines only. A line that is itself too long is dropped up to its end.
    const from = bytes.indexOf("\n", bytes.length - KEPT_BYTES) + 1;
    const cut = from === 0 ? bytes.length : from;
    linesBefore += countLines(bytes.subarray(0, cut));
    kept = [bytes.subarray(cut)];
    keptBytes = bytes.length - cut;
  };
  for await (const chunk of body) {
    allBytes += chunk.length;
    if (allBytes > MAX_LOG_BYTES) return undefined;
    kept.push(chunk);
    keptBytes += chunk.length;
    if (keptBytes > 2 * KEPT_BYTES) trim();
  }
  if (keptBytes > KEPT_BYTES) trim();
  return { text: Buffer.concat(kept).toString("utf8"), linesBefore };
}

const LINE_BREAK = 10;

function countLines(bytes: Buffer): number {
  let count = 0;
  for (const byte of bytes) if (byte === LINE_BREAK) count += 1;
  return count;
}
