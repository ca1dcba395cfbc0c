import { connection } from "./connection";

/** Something that keeps a connection for as long as it has a place. */
export interface Placed {
  /** Takes the place of another one, if none is free. */
  take(): void;
  /** Closes it for good. */
  end(): void;
}

/**
 * Keeps a stream open while there is a place for it among those of all tabs.
 * @param open opens the stream, and returns what closes it
 * @param onPlace learns whether there is a place
 */
export function inPlace(open: () => () => void, onPlace: (has: boolean) => void): Placed {
  let close: (() => void) | undefined;
  const letGo = () => {
    close?.();
    close = undefined;
  };
  const claim = connection.show((has) => {
    if (has) close ??= open();
    else letGo();
    onPlace(has);
  });
  return {
    take: claim.take,
    end: () => {
      letGo();
      claim.end();
    },
  };
}
