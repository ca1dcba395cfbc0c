/** Maximum bytes of an excerpt in a result. The result holds it twice: as text and as structured content. */
const MAX_BYTES = 16_000;

const weightOf = (text: string): number => {
  const json = JSON.stringify(text);
  return Buffer.byteLength(json) + Buffer.byteLength(JSON.stringify(json));
};

/**
 * The part of a text from an offset on that fits into a response, and the offset of the rest; null at the end. A pair
 * of surrogates is not split.
 */
export function textPart(text: string, offset: number): { part: string; next: number | null } {
  const isLow = (at: number) => /^[\udc00-\udfff]/.test(text.slice(at, at + 1));
  const start = offset > 0 && isLow(offset) ? offset + 1 : offset;
  let length = Math.min(text.length - start, MAX_BYTES / 2);
  while (length > 1 && weightOf(text.slice(start, start + length)) > MAX_BYTES)
    length = Math.floor(length * 0.8);
  if (length > 1 && isLow(start + length)) length -= 1;
  const end = Math.max(start, start + length);
  return { part: text.slice(start, end), next: end < text.length ? end : null };
}
