import { v7 } from "uuid";

/**
 * A new UUID, version 7. Ids that this process makes sort in the order in which they were made, so that they fill
 * indexes from one end. An id is not a secret.
 * @see https://www.rfc-editor.org/rfc/rfc9562#section-5.7
 */
export const newId = (): string => v7();

const hexOf = (time: number) => time.toString(16).padStart(12, "0");

/** The lowest id that can be made at this time or later. */
export function firstIdAt(time: Date): string {
  const hex = hexOf(time.getTime());
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/** The time at which an id of version 7 was made. */
export const timeOfId = (id: string): Date => new Date(Number.parseInt(id.replace("-", "").slice(0, 12), 16));
