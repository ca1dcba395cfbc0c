import { MAX_READ_BYTES, type ReadFile } from "@grove/schemas";

/** git, too, takes a file for binary if these first bytes contain a NUL. */
const HEAD_BYTES = 8_000;
/** The weight of a text as JSON, in which a control character takes six bytes. */
const MAX_JSON_BYTES = 700_000;

/** A source of bytes: a file of the worktree, or git's copy of it. */
export interface ByteSource {
  /** In bytes. */
  size: number;
  read(offset: number, length: number): Promise<Buffer>;
}

/** The part of a file that begins at an offset; see `readFileResult`. */
export async function readContent({ size, read }: ByteSource, offset: number): Promise<ReadFile> {
  const head = await read(0, HEAD_BYTES);
  const mediaType = imageType(head);
  if (mediaType !== undefined && size <= MAX_READ_BYTES.image) {
    const base64 = (await read(0, MAX_READ_BYTES.image)).toString("base64");
    return { kind: "image", size, nextOffset: null, image: { mediaType, base64 } };
  }
  if (head.includes(0)) return { kind: "binary", size, nextOffset: null };
  let part = await read(offset, MAX_READ_BYTES.text);
  let text = toText(part);
  while (Buffer.byteLength(JSON.stringify(text)) > MAX_JSON_BYTES) {
    part = part.subarray(0, Math.ceil(part.length / 2));
    text = toText(part);
  }
  const end = offset + wholeCharacters(part).length;
  return { kind: "text", size, text, nextOffset: end > offset && end < size ? end : null };
}

/** A database stores no NUL, which a text may have far behind its beginning. */
const toText = (part: Buffer): string => wholeCharacters(part).toString("utf8").replaceAll("\0", "\u2400");

/** The bytes without the beginning of a character at their end. */
function wholeCharacters(bytes: Buffer): Buffer {
  let start = bytes.length - 1;
  while (start > 0 && start > bytes.length - 4 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start--;
  const lead = bytes[start] ?? 0;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return start > 0 && start + length > bytes.length ? bytes.subarray(0, start) : bytes;
}

/**
 * The pictures that every browser shows, by their first bytes
 * (https://mimesniff.spec.whatwg.org/#image-type-pattern-matching-algorithm).
 */
function imageType(head: Buffer): string | undefined {
  const begins = (bytes: string) => head.subarray(0, bytes.length).toString("latin1") === bytes;
  if (begins("\x89PNG\r\n\x1a\n")) return "image/png";
  if (begins("\xff\xd8\xff")) return "image/jpeg";
  if (begins("GIF87a") || begins("GIF89a")) return "image/gif";
  if (begins("RIFF") && head.subarray(8, 12).toString("latin1") === "WEBP") return "image/webp";
  return undefined;
}
