import { randomFillSync } from "node:crypto";
import { v7 } from "uuid";

const BYTES_AN_ID = 16;
/** Random bytes for 256 ids at a time: getting them for each id costs more than the rest of making it. */
const pool = new Uint8Array(256 * BYTES_AN_ID);
let used = pool.length;

function randomBytes(): Uint8Array {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += BYTES_AN_ID;
  return pool.subarray(used - BYTES_AN_ID, used);
}

let msecs = 0;
let seq = 0;

/**
 * A new UUID, version 7. Ids that this process makes sort in the order in which they were made, so that they fill
 * indexes from one end. An id is not a secret.
 * @see https://www.rfc-editor.org/rfc/rfc9562#section-5.7
 */
export function newId(): string {
  const random = randomBytes();
  const now = Date.now();
  // Within a millisecond, or when the clock was set back, a counter distinguishes them; it starts in the lower half of
  // its range.
  if (now > msecs) [msecs, seq] = [now, new DataView(random.buffer, random.byteOffset).getUint32(0) >>> 1];
  else seq++;
  return v7({ random, msecs, seq });
}
