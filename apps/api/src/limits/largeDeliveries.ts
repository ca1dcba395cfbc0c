import { GroveError } from "@grove/auth";

/** Code hosts send up to 25 MB (docs.github.com/webhooks/webhook-events-and-payloads, "Payload cap"). */
export const MAX_DELIVERY_BYTES = 25 * 1024 * 1024;
/** Up to this size, any number of deliveries may arrive simultaneously. */
export const SMALL_DELIVERY_BYTES = 1024 * 1024;
const MAX_LARGE = 4;

/** Bounds the large deliveries in memory: one for each webhook, and {@link MAX_LARGE} in total. */
export class LargeDeliveries {
  readonly #arriving = new Set<string>();

  /**
   * Reserves a slot. Call it before reading a body that is large or has no declared length.
   * @returns a function that releases the slot
   * @throws {GroveError} TOO_MANY_REQUESTS `too_many_in_progress`
   */
  take(webhookId: string): () => void {
    if (this.#arriving.size >= MAX_LARGE || this.#arriving.has(webhookId))
      throw new GroveError(
        "TOO_MANY_REQUESTS",
        "Other deliveries of more than 1 MiB are arriving. Deliver this again in a minute.",
        { reason: "too_many_in_progress", details: { retryAfterSeconds: 60 } },
      );
    this.#arriving.add(webhookId);
    return () => this.#arriving.delete(webhookId);
  }
}
