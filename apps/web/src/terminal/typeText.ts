import { errorData } from "@grove/client";
import type { CommandError, ShownScreen } from "@grove/schemas";
import { client } from "../lib/api";
import { awaitCommand } from "../lib/awaitCommand";
import { newId } from "../lib/newId";

/**
 * Types a text into a session, once. The key is for the browser, which sends a request again by itself if its
 * connection breaks before the answer.
 * @param screen the number of the screen that the text answers; `live` for keys typed into the terminal
 * @throws {Error} when it is not certain that the text has arrived
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

/** Nothing was typed, since the terminal shows something else than what the text answers. */
class ScreenChanged extends Error {
  readonly screen: ShownScreen;

  constructor(screen: ShownScreen, cause: unknown) {
    super(cause instanceof Error ? cause.message : "The terminal shows something else.", { cause });
    this.screen = screen;
  }
}

/** The terminal's screen now, if a text was refused for that. */
export function screenOfRefusal(error: unknown): ShownScreen | undefined {
  if (error instanceof ScreenChanged) return error.screen;
  const refusal = errorData(error)?.details?.error as Partial<CommandError> | undefined;
  return refusal?.screen;
}

/** Whether the API refused a text before the machine was told of it, for example since the machine is offline. */
export function wasRefused(error: unknown): boolean {
  const { httpStatus = 500, code, details } = errorData(error) ?? {};
  return httpStatus < 500 && code !== "TIMEOUT" && details?.commandId === undefined;
}
