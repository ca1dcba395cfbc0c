import { examineNats, NatsError } from "@grove/db";
import type { Env } from "../env";
import { messageOf } from "../lib/thrown";
import { type Finding, fail, ok, warn } from "./finding";

/** Farther than this, PostgreSQL itself would be as fast. */
const FAR_MS = 5;

/** NATS, if it is to carry announcements. */
export async function examineBus({ natsUrl, databaseUrl }: Env): Promise<Finding[]> {
  if (natsUrl === undefined || databaseUrl === undefined) return [];
  try {
    const { prefix, roundTripMs } = await examineNats(natsUrl, databaseUrl);
    const time = `${roundTripMs.toFixed(1)} ms`;
    return [
      roundTripMs > FAR_MS
        ? warn("nats", `each answer takes ${time}`, "Run nats-server in the same region as the API.")
        : ok("nats", `carries the subjects ${prefix}.>, answers in ${time}`),
    ];
  } catch (error) {
    // The check of the database finds what keeps that from answering.
    if (!(error instanceof NatsError)) return [];
    return [
      fail(
        "nats",
        messageOf(error),
        "Instances that run go on by PostgreSQL, and none starts. Mend it, or remove NATS_URL from all of them.",
      ),
    ];
  }
}
