/** The number of items that a message names. */
export const MAX_LISTED = 5;

/** Lists items for a message, at most five: `a, b, c, d, e and 3 more`. */
export const listShort = (items: readonly string[], separator = ", "): string => {
  const more = items.length > MAX_LISTED ? ` and ${items.length - MAX_LISTED} more` : "";
  return items.slice(0, MAX_LISTED).join(separator) + more;
};
