import { stripVTControlCharacters } from "node:util";

/** Room for escape sequences, which are removed from the text. */
const RAW_CHARACTERS_PER_BYTE = 4;

/** The end of a program's output. */
export class OutputTail {
  #raw = "";
  readonly #maxBytes: number;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  add(chunk: string): void {
    this.#raw = (this.#raw + chunk).slice(-RAW_CHARACTERS_PER_BYTE * this.#maxBytes);
  }

  /** The end without escape sequences of terminals, NUL and unpaired surrogates, which a database does not store. */
  get text(): string {
    const text = stripVTControlCharacters(this.#raw).replaceAll(/\r\n?/g, "\n").replaceAll("\0", "\u2400");
    return lastBytes(text.toWellFormed(), this.#maxBytes);
  }
}

/** The last bytes of a text in UTF-8, from the beginning of a character on. */
export function lastBytes(text: string, count: number): string {
  const bytes = Buffer.from(text);
  let start = Math.max(0, bytes.length - count);
  while (((bytes[start] ?? 0) & 0xc0) === 0x80) start++;
  return bytes.toString("utf8", start);
}
