/** The placeholder for a missing value. */
export const NONE = "–";
