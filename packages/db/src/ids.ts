import { v7 } from "uuid";

/**
 * A new UUID, version 7. Ids that this process makes sort in the order in which they were made, so that they fill
 * indexes from one end. An id is not a secret.
 * @see https://www.rfc-editor.org/rfc/rfc9562#section-5.7
 */
export const newId = (): string => v7();
