import { createClient, errorData } from "@grove/client";
import type { OrganizationEvent } from "@grove/schemas";
import type { Look } from "./messages";

export interface StreamHandlers {
  onEvent(event: OrganizationEvent, id: string): void;
  /** The stream broke. It reconnects by itself. */
  onBreak(): void;
  /** The stream has ended. `refused`: by the API, which would refuse it again. */
  onEnd(refused: boolean): void;
}

/** Opens an organization's stream after an event. @returns closes it */
export type OpenStream = (
  look: Look,
  lastEventId: string | undefined,
  handlers: StreamHandlers,
) => () => void;

const TOO_MANY = 429;

/** Opens the stream at the API of this origin. */
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
        handlers.onEnd(status >= 400 && status < 500 && status !== TOO_MANY);
      },
    },
  );
  return () => subscription.unsubscribe();
};
