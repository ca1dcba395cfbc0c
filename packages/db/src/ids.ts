import { randomFillSync } from "node:crypto";
import { v7 } from "uuid";

const BYTES_AN_ID = 16;
/** Randomness is asked of the system for so many ids at once: for each by itself it takes longer than all else of an id. */
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
 * A new UUID, version 7: ids made one after another in this process sort in that order, so that they fill indexes from
 * one end. Not a secret.
 * @see https://www.rfc-editor.org/rfc/rfc9562#section-5.7
 */
export function newId(): string {
  const random = randomBytes();
  const now = Date.now();
  // Within a millisecond, and when the clock was set back, they are counted on; the count begins in its lower half.
  if (now > msecs) [msecs, seq] = [now, new DataView(random.buffer, random.byteOffset).getUint32(0) >>> 1];
  else seq++;
  return v7({ random, msecs, seq });
}
