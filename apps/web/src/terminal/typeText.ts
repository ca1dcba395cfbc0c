import { errorData } from "@grove/client";
import { client } from "../app/api";
import { newId } from "../app/newId";
import { outcomeOf } from "../app/outcome";

/**
 * Types a text into a session, once. The key is for the browser, which sends a request again by itself if its
 * connection breaks before the answer.
 * @throws {Error} when it is not certain that the text has arrived
 */
export async function typeText(key: { organizationId: string; id: string }, text: string): Promise<void> {
  try {
    await client.agent.sendInput.mutate({ ...key, text, idempotencyKey: newId() });
  } catch (error) {
    const { status } = await outcomeOf(key.organizationId, error);
    if (status !== "succeeded") throw error;
  }
}

/** Whether the API refused a text before the machine was told of it, for example since the machine is offline. */
export function wasRefused(error: unknown): boolean {
  const { httpStatus = 500, code, details } = errorData(error) ?? {};
  return httpStatus < 500 && code !== "TIMEOUT" && details?.commandId === undefined;
}
