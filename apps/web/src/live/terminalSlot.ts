import { hubConnection } from "./hubConnection";

/** A stream that is open while it has one of the slots for visible terminals. */
export interface SlotHolder {
  /** Takes the slot of another terminal if none is free. */
  take(): void;
  /** Closes the stream and releases the slot. */
  end(): void;
}

/**
 * Keeps a stream open while it has one of the slots that all tabs share.
 * @param open opens the stream and returns a function that closes it
 * @param onSlot is called when the stream gets a slot or loses it
 */
export function withTerminalSlot(open: () => () => void, onSlot: (hasSlot: boolean) => void): SlotHolder {
  let close: (() => void) | undefined;
  const closeStream = () => {
    close?.();
    close = undefined;
  };
  const claim = hubConnection.requestSlot((hasSlot) => {
    if (hasSlot) close ??= open();
    else closeStream();
    onSlot(hasSlot);
  });
  return {
    take: claim.take,
    end: () => {
      closeStream();
      claim.end();
    },
  };
}
