/** Returns a random id. `crypto.randomUUID` is unavailable over plain http, except on localhost. */
export const newId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join(
    "",
  );

/** Returns a random id in the form of a UUID, for rows that a client makes. */
export const newUuid = (): string => newId().replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
