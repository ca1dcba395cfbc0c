/** A new random id. `crypto.randomUUID` is there only at addresses with https, and on the machine itself. */
export const newId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join(
    "",
  );
