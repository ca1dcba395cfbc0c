import { sessionOutputLimits } from "@grove/schemas";

const MAX_PIECE = 16 * 1024;

/**
 * Output that waits to be reported. What is more than the cloud would keep goes, the oldest first, when it must; the
 * next chunk then begins with a line that says how much is missing.
 */
export class OutputBuffer {
  #pieces: { text: string; bytes: number }[] = [];
  #bytes = 0;
  #dropped = 0;

  get isEmpty(): boolean {
    return this.#pieces.length === 0;
  }

  /** Whether there is more than the cloud would keep. */
  get isFull(): boolean {
    return this.#bytes > sessionOutputLimits.keptBytes;
  }

  add(output: string): void {
    for (let rest = output; rest !== ""; ) {
      const text = rest.slice(0, pieceLength(rest));
      rest = rest.slice(text.length);
      const bytes = Buffer.byteLength(text);
      this.#pieces.push({ text, bytes });
      this.#bytes += bytes;
    }
  }

  /** Takes back the end of the chunk that was taken last. */
  putBack(output: string): void {
    const later = this.#pieces;
    this.#pieces = [];
    this.add(output);
    this.#pieces.push(...later);
  }

  /** Drops the oldest of what is too much. */
  trim(): void {
    let count = 0;
    while (this.#bytes > sessionOutputLimits.keptBytes && count < this.#pieces.length) {
      const bytes = this.#pieces[count++]?.bytes ?? 0;
      this.#bytes -= bytes;
      this.#dropped += bytes;
    }
    this.#pieces.splice(0, count);
  }

  /** Takes the next chunk: as many pieces as go into one. */
  take(): string {
    let chunk = this.#dropped > 0 ? droppedLine(this.#dropped) : "";
    this.#dropped = 0;
    let count = 0;
    for (const { text, bytes } of this.#pieces) {
      if (chunk.length + text.length > sessionOutputLimits.chunkLength) break;
      chunk += text;
      this.#bytes -= bytes;
      count++;
    }
    this.#pieces.splice(0, count);
    return chunk;
  }
}

/** Two halves of a text. */
export function halve(text: string): [string, string] {
  const middle = Math.floor(text.length / 2);
  const at = /[\ud800-\udbff]/.test(text.charAt(middle - 1)) ? middle - 1 : middle;
  return [text.slice(0, at), text.slice(at)];
}

/** Never between the two halves of a character: each chunk is mended for itself. */
const pieceLength = (text: string): number =>
  text.length > MAX_PIECE && /[\ud800-\udbff]/.test(text.charAt(MAX_PIECE - 1)) ? MAX_PIECE - 1 : MAX_PIECE;

const droppedLine = (bytes: number) =>
  `\r\n[grove: ${bytes} bytes of output are missing here: the cloud could not be reached]\r\n`;
