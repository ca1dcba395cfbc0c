/**
 * The length of a password, in UTF-16 code units. In a separate file, so that the console can import it without zod.
 */
export const passwordLength = { min: 10, max: 256 };
