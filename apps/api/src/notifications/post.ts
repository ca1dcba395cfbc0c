import { ProviderError } from "@grove/integrations";
import { messageOf } from "@grove/schemas";
import { timeoutSignal } from "@grove/signals";
import type { Services } from "../services";

/** The outcome of an attempt. `retry`: the notification has certainly not arrived. `unknown`: it may have arrived. */
export type Outcome =
  | { state: "sent" }
  | { state: "retry" | "failed" | "unknown" | "suppressed"; error: string };

const POST_TIMEOUT_MS = 10_000;
/** Error codes of a connection that was never made. */
const connectErrorCodes = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"]);

interface Post {
  url: string;
  headers: Record<string, string>;
  body: Buffer | string;
}

/** Sends one POST through the guarded network. @returns the status, or the reason why there was no response */
export async function post(
  { integrations: { network } }: Pick<Services, "integrations">,
  { url, headers, body }: Post,
): Promise<number | Outcome> {
  try {
    const address = new URL(url);
    network.checkHost(address);
    // On Node 20, undici fails on a signal whose number of listeners is unlimited. This one has the default limit.
    const signal = AbortSignal.any([timeoutSignal(POST_TIMEOUT_MS)]);
    const response = await network.fetch(address, { method: "POST", headers, body, signal });
    await response.body?.cancel();
    return response.status;
  } catch (error) {
    return outcomeOf(error);
  }
}

/** Returns the outcome of a response. */
export function outcomeOfStatus(answer: number | Outcome): Outcome {
  if (typeof answer !== "number") return answer;
  if (answer >= 200 && answer < 300) return { state: "sent" };
  const error = `status ${answer}`;
  return answer === 429 || answer >= 500 ? { state: "retry", error } : { state: "failed", error };
}

function outcomeOf(thrown: unknown): Outcome {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if (error instanceof ProviderError) return { state: "failed", error: error.message };
    if (connectErrorCodes.has(String((error as NodeJS.ErrnoException).code)))
      return { state: "retry", error: "could not connect" };
  }
  return { state: "unknown", error: messageOf(thrown) };
}
