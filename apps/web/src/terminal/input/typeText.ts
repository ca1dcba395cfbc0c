import { errorData } from "@grove/client";
import type { CommandError, ShownScreen } from "@grove/schemas";
import { client } from "../../lib/api";
import { awaitCommand } from "../../lib/commands/awaitCommand";
import { newId } from "../../lib/newId";

/**
 * Types a text into a session, once. The idempotency key covers the browser, which retries a request by itself if its
 * connection breaks before the response.
 * @param screen the number of the screen that the text answers; `live` for keys typed into the terminal
 * @throws {Error} if the text may not have arrived
 */
export async function typeText(
  key: { organizationId: string; id: string },
  text: string,
  screen: number | "live" | undefined,
): Promise<void> {
  try {
    await client.agent.sendInput.mutate({
      ...key,
      text,
      ...(screen !== undefined && { screen }),
      idempotencyKey: newId(),
    });
  } catch (error) {
    const { status, error: failure } = await awaitCommand(key.organizationId, error);
    if (failure?.screen) throw new ScreenChanged(failure.screen, error);
    if (status !== "succeeded") throw error;
  }
}

/** Nothing was typed, because the screen is no longer the one that the text answers. */
class ScreenChanged extends Error {
  readonly screen: ShownScreen;

  constructor(screen: ShownScreen, cause: unknown) {
    super(cause instanceof Error ? cause.message : "The terminal's screen has changed.", { cause });
    this.screen = screen;
  }
}

/** Returns the terminal's current screen, if a text was refused because the screen has changed. */
export function screenOfRefusal(error: unknown): ShownScreen | undefined {
  if (error instanceof ScreenChanged) return error.screen;
  const refusal = errorData(error)?.details?.error as Partial<CommandError> | undefined;
  return refusal?.screen;
}

/** Whether the API refused a text before it sent it to the machine, for example because the machine is offline. */
export function wasRefused(error: unknown): boolean {
  const { httpStatus = 500, code, details } = errorData(error) ?? {};
  return httpStatus < 500 && code !== "TIMEOUT" && details?.commandId === undefined;
}
