/** Stands where there is nothing to say. */
export const NONE = "–";
