/** A limit in the description of an input, such as `2 000 characters`. */
export const characters = (limit: number): string =>
  `${limit.toLocaleString("en").replaceAll(",", " ")} characters`;
