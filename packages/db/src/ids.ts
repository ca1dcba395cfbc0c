import { v7 } from "uuid";

/**
 * A new UUID, version 7: ids made one after another in this process sort in that order, so that they fill indexes from
 * one end. Not a secret.
 */
export const newId = (): string => v7();
