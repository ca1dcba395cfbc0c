import { createClient, errorData } from "@grove/client";
import type { OrganizationEvent } from "@grove/schemas";
import type { Subscription } from "./messages";

export interface StreamHandlers {
  onEvent(event: OrganizationEvent, id: string): void;
  /** The stream broke and is reconnecting. */
  onBreak(): void;
  /** The stream has ended. `refused`: the API refuses it and would do so again. */
  onEnd(refused: boolean): void;
}

/** Opens an organization's stream after an event. Returns a function that closes the stream. */
export type OpenStream = (
  subscription: Subscription,
  lastEventId: string | undefined,
  handlers: StreamHandlers,
) => () => void;

const TOO_MANY_REQUESTS = 429;

export const openStream: OpenStream = ({ organizationId, token }, lastEventId, handlers) => {
  const client = createClient({ apiUrl: location.origin, token });
  const subscription = client.organization.watch.subscribe(
    { organizationId, ...(lastEventId !== undefined && { lastEventId }) },
    {
      onData: ({ id, data }) => handlers.onEvent(data, id),
      onConnectionStateChange: ({ state, error }) => {
        if (state === "connecting" && error) handlers.onBreak();
      },
      onError: (error) => {
        const status = errorData(error)?.httpStatus ?? 0;
        handlers.onEnd(status >= 400 && status < 500 && status !== TOO_MANY_REQUESTS);
      },
    },
  );
  return () => subscription.unsubscribe();
};
