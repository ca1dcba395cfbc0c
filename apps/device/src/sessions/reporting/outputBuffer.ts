import { sessionOutputLimits } from "@grove/schemas";

const MAX_PIECE = 16 * 1024;

/** Buffers unreported output. */
export class OutputBuffer {
  #pieces: { text: string; bytes: number }[] = [];
  #bytes = 0;

  get isEmpty(): boolean {
    return this.#pieces.length === 0;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Whether the buffer holds more than the cloud would keep. */
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

  /** Adds output before all that is buffered, such as the end of the chunk that was taken last. */
  addBefore(output: string): void {
    const later = this.#pieces;
    this.#pieces = [];
    this.add(output);
    this.#pieces.push(...later);
  }

  clear(): void {
    this.#pieces = [];
    this.#bytes = 0;
  }

  /** Takes the next chunk, with as many pieces as fit. */
  take(): string {
    let chunk = "";
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

/** Splits a text into two halves. */
export function halve(text: string): [string, string] {
  const middle = Math.floor(text.length / 2);
  const at = /[\ud800-\udbff]/.test(text.charAt(middle - 1)) ? middle - 1 : middle;
  return [text.slice(0, at), text.slice(at)];
}

/** Never splits a surrogate pair, since each chunk is made well-formed on its own. */
const pieceLength = (text: string): number =>
  text.length > MAX_PIECE && /[\ud800-\udbff]/.test(text.charAt(MAX_PIECE - 1)) ? MAX_PIECE - 1 : MAX_PIECE;
