/** The name of the JavaScript world that the script runs in. The page can neither see nor change it. */
export const isolatedWorld = "grove";
/** The function that a document calls in that world to report its milestones. */
export const binding = "groveArrived";
