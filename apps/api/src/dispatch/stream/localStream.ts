import type { Lease } from "../../instance/lease";
import type { Inbox, Stream } from "./inbox";
import { Unacknowledged } from "./unacknowledged";

/** How long a check of a device's key stays valid, unless its revocation is announced. */
const PROVEN_MS = 60_000;

/** A stream that is attached to this process. Times are on the clock of `performance.now()`. */
export class LocalStream {
  readonly stream: Stream;
  readonly inbox: Inbox;
  /** The hash of the key that opened it. */
  readonly keyHash: string;
  readonly since = performance.now();
  /** Whether the device's row records, under `leaseId`, an answered heartbeat of this stream. */
  isPresent = false;
  /** The instance's lease when the stream was opened, or last confirmed as the newest. */
  leaseId: string;
  /** When the device was last known to answer. */
  answeredAt = performance.now();
  /** When the key was last known to be valid. */
  provenAt = Number.NEGATIVE_INFINITY;
  /** The commands that were sent on it. */
  readonly sent = new Unacknowledged();

  constructor(of: Pick<LocalStream, "stream" | "inbox" | "keyHash" | "leaseId">) {
    this.stream = of.stream;
    this.inbox = of.inbox;
    this.keyHash = of.keyHash;
    this.leaseId = of.leaseId;
  }

  /** Whether the key need not be looked up. */
  get isProven(): boolean {
    return !this.inbox.mustRevalidate && performance.now() - this.provenAt < PROVEN_MS;
  }

  /** Whether the instance's lease keeps the device online, so that its responses need no write. */
  isHeldUnder(lease: Pick<Lease, "id" | "holds">): boolean {
    return this.isPresent && this.leaseId === lease.id && lease.holds;
  }

  /** The device is known to have answered at this time. */
  answered(at = performance.now()): void {
    this.answeredAt = Math.max(this.answeredAt, at);
  }
}
