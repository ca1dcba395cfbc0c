import { type Client, createClient, errorData } from "@grove/client";
import type { OrganizationEvent, SessionOutputsEvent } from "@grove/schemas";
import type { Subscription } from "./hubMessages";

export interface StreamHandlers {
  onEvent(event: OrganizationEvent, id: string): void;
  /** The stream broke and is reconnecting. */
  onBreak(): void;
  /** The stream has ended. `refused`: the API refuses it and would do so again. */
  onEnd(refused: boolean): void;
}

export interface OutputHandlers {
  onOpen(): void;
  onOutput(event: SessionOutputsEvent): void;
  /** The stream broke, or was refused as above. It does not reconnect, because its positions are outdated. */
  onEnd(refused: boolean): void;
}

/** Sessions, each with the sequence of the last chunk seen. */
export type Positions = { id: string; after: number }[];

/** The ways to open a stream. Each returns a function that closes the stream and ends its callbacks. */
export interface OpenStreams {
  /** Opens an organization's stream after an event. */
  organization(
    subscription: Subscription,
    lastEventId: string | undefined,
    handlers: StreamHandlers,
  ): () => void;
  /** Opens one stream for the output of several sessions. */
  outputs(subscription: Subscription, sessions: Positions, handlers: OutputHandlers): () => void;
}

const TOO_MANY_REQUESTS = 429;

function isRefusal(error: Error): boolean {
  const status = errorData(error)?.httpStatus ?? 0;
  return status >= 400 && status < 500 && status !== TOO_MANY_REQUESTS;
}

const clientOf = ({ token }: Subscription): Client => createClient({ apiUrl: location.origin, token });

export const openStreams: OpenStreams = {
  organization: (subscription, lastEventId, handlers) => {
    const { organizationId } = subscription;
    const stream = clientOf(subscription).organization.watch.subscribe(
      { organizationId, ...(lastEventId !== undefined && { lastEventId }) },
      {
        onData: ({ id, data }) => handlers.onEvent(data, id),
        onConnectionStateChange: ({ state, error }) => {
          if (state === "connecting" && error) handlers.onBreak();
        },
        onError: (error) => handlers.onEnd(isRefusal(error)),
      },
    );
    return () => stream.unsubscribe();
  },

  outputs: (subscription, sessions, handlers) => {
    const { organizationId } = subscription;
    const stream = clientOf(subscription).agent.sessionOutputs.subscribe(
      { organizationId, sessions },
      {
        onData: handlers.onOutput,
        onConnectionStateChange: ({ state, error }) => {
          if (state === "pending") handlers.onOpen();
          else if (state === "connecting" && error) handlers.onEnd(false);
        },
        onError: (error) => handlers.onEnd(isRefusal(error)),
      },
    );
    return () => stream.unsubscribe();
  },
};
